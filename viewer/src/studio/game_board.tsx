// The board of a game: pieces, the squares of legal moves, and the scores of these.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { SvgImage } from "./state_view.tsx";

export type Square = [number, number];

export interface Piece {
  row: number;
  column: number;
  side: 0 | 1 | null;
  text: string;
  king?: boolean;
  tall?: boolean;
  figure?: boolean;
}

export interface Board {
  kind: "grid" | "svg" | "text";
  svg?: string;
  aspect?: number;
  text?: string;
  look?: "plain" | "holes" | "green" | "chequered" | "pits" | "bare";
  drops?: boolean;
  rows?: number;
  columns?: number;
  names?: { rows: string[]; columns: string[] };
  numbers?: { row: number; column: number; text: string }[];
  pieces?: Piece[];
}

export interface Move {
  text: string;
  path: Square[];
}

export interface Mark {
  short: string;
  tone: "good" | "bad" | "even";
}

interface BoardProps {
  board: Board;
  moves: Move[];
  last: Square[];
  hint: Move | null;
  marks: ReadonlyMap<string, Mark>;
  play: ((move: Move) => void) | null;
}

const S = 60;
const isSame = ([row, column]: Square, [otherRow, otherColumn]: Square) => row === otherRow && column === otherColumn;

/** A board to click on. A move of several squares is clicked square by square. */
export function BoardView({ board, moves, last, hint, marks, play }: BoardProps) {
  const picked = useSignal<Square[]>([]);
  useEffect(() => {
    picked.value = [];
  }, [moves]);
  if (board.kind === "svg") return <SvgImage picture={board} size={22} />;
  if (board.kind === "text") return <pre class="drawn game">{board.text}</pre>;
  const [rows, columns] = [board.rows!, board.columns!];
  const begins = (move: Move, path: Square[]) => path.every((square, place) => move.path[place] && isSame(move.path[place], square));
  const open = moves.filter((move) => begins(move, picked.value));
  const complete = open.filter((move) => move.path.length && move.path.length === picked.value.length);

  const click = (square: Square) => {
    if (!play) return;
    const at = board.drops ? (moves.find((move) => move.path[0]?.[1] === square[1])?.path[0] ?? square) : square;
    for (const path of [[...picked.value, at], [at]]) {
      const found = moves.filter((move) => begins(move, path));
      if (!found.length) continue;
      if (found.length === 1 && found[0].path.length === path.length) play(found[0]);
      else if (found.length === 1 && found[0].path.length === path.length + 1 && path.length > 1) play(found[0]);
      else picked.value = path;
      return;
    }
    picked.value = [];
  };
  const isNext = (square: Square) => play !== null && open.some((move) => move.path[picked.value.length] && isSame(move.path[picked.value.length], square));
  const is = (squares: Square[], square: Square) => squares.some((one) => isSame(one, square));
  const single = new Map(moves.filter((move) => move.path.length === 1).map((move) => [String(move.path[0]), move]));
  const margin = board.names!.rows.length || board.names!.columns.length ? 24 : 4;
  const squares = Array.from({ length: rows * columns }, (_, number): Square => [Math.floor(number / columns), number % columns]);
  return (
    <div class="gameboard">
      <svg viewBox={`${-margin} -4 ${columns * S + margin + 4} ${rows * S + margin + 4}`} class={`look-${board.look} ${play ? "live" : ""}`} role="group" aria-label="board">
        {board.look !== "bare" && <rect class="ground" x="-2" y="-2" width={columns * S + 4} height={rows * S + 4} rx="8" />}
        {squares.map((square) => {
          const [row, column] = square;
          const dark = (row + column) % 2 === 1;
          return (
            <g key={String(square)} class={`square ${dark ? "dark-square" : ""} ${isNext(square) ? "next" : ""}`} onClick={() => click(square)}>
              <Ground look={board.look!} x={column * S} y={row * S} isStore={column % (columns - 1) === 0} />
              {is(last, square) && <rect class="last" x={column * S + 2} y={row * S + 2} width={S - 4} height={S - 4} rx="6" />}
              {is(picked.value, square) && <rect class="picked" x={column * S + 2} y={row * S + 2} width={S - 4} height={S - 4} rx="6" />}
              {hint && is(hint.path, square) && <rect class="hint" x={column * S + 3} y={row * S + 3} width={S - 6} height={S - 6} rx="6" />}
            </g>
          );
        })}
        {board.numbers?.map(({ row, column, text }) => <text key={text} class="number" x={column * S + 5} y={row * S + 14}>{text}</text>)}
        {board.pieces!.map((piece) => <PieceView key={`${piece.row} ${piece.column}`} piece={piece} look={board.look!} />)}
        {squares.map((square) => {
          const move = single.get(String(square));
          const mark = move && marks.get(move.text);
          const [x, y] = [square[1] * S + S / 2, square[0] * S + S / 2];
          const low = board.look === "pits" ? 22 : 0;
          if (mark && !(board.look === "bare" && mark.short === "0")) return <text key={String(square)} class={`mark ${mark.tone}`} x={x} y={y + low}>{mark.short}</text>;
          return isNext(square) && board.look !== "pits" && board.look !== "bare" && <circle key={String(square)} class="dot" cx={x} cy={y} r="6" />;
        })}
        {board.names!.columns.map((name, column) => <text key={`c${name}`} class="name" x={column * S + S / 2} y={rows * S + 16}>{name}</text>)}
        {board.names!.rows.map((name, row) => <text key={`r${name}`} class="name" x={-14} y={row * S + S / 2}>{name}</text>)}
      </svg>
      {play && complete.length > 0 && (
        <p class="row">{complete.map((move) => <button key={move.text} type="button" onClick={() => play(move)}>{move.text}</button>)}</p>
      )}
    </div>
  );
}

function Ground({ look, x, y, isStore }: { look: string; x: number; y: number; isStore: boolean }) {
  if (look === "bare") return <rect class="free" x={x} y={y} width={S} height={S} />;
  if (look === "holes") return <g><rect class="free" x={x} y={y} width={S} height={S} /><circle class="hole" cx={x + S / 2} cy={y + S / 2} r={S * 0.4} /></g>;
  if (look === "pits") {
    return (
      <g>
        <rect class="free" x={x} y={y} width={S} height={S} />
        {!isStore && <circle class="pit" cx={x + S / 2} cy={y + S / 2} r={S * 0.42} />}
      </g>
    );
  }
  return <rect class="cell" x={x + 0.5} y={y + 0.5} width={S - 1} height={S - 1} />;
}

function PieceView({ piece, look }: { piece: Piece; look: string }) {
  const [x, y] = [piece.column * S + S / 2, piece.row * S + S / 2];
  const side = piece.side === null ? "none" : piece.side;
  if (look === "pits") {
    const middle = piece.tall ? y + S / 2 : y;
    return (
      <g class={`piece side-${side}`}>
        {piece.tall && <rect class="store" x={x - S * 0.4} y={4} width={S * 0.8} height={2 * S - 8} rx={S * 0.38} />}
        <text class="seeds" x={x} y={middle}>{piece.text}</text>
      </g>
    );
  }
  if (look === "bare") return <rect class="stick" x={x - 6} y={y - 22} width="12" height="44" rx="5" />;
  if (piece.figure) return <text class={`figure side-${side}`} x={x} y={y + 2}>{piece.text}</text>;
  if (piece.text) return <text class={`letter side-${side}`} x={x} y={y}>{piece.text}</text>;
  return (
    <g class={`piece side-${side}`}>
      <circle class="disc" cx={x} cy={y} r={S * 0.38} />
      {piece.king && <text class="crown" x={x} y={y + 1}>{"\u265b"}</text>}
    </g>
  );
}
