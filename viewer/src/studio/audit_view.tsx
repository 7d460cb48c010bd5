// What an audit found: whether a heuristic is admissible and consistent, and its estimates beside the true distances.

import { Figure } from "./search_page.tsx";
import { Problem, counted } from "./widgets.tsx";

export interface Audit {
  heuristic: string;
  error?: string;
  report: string;
  admissible: boolean | null;
  consistent: boolean | null;
  exhaustive: boolean;
  states: number;
  mean_h: number | null;
  mean_distance: number | null;
  largest_h: number | null;
  largest_distance: number | null;
  histogram: [number, number, number][];
}

const MOST_CELLS_ACROSS = 40;

/** bare: without a frame and a title of its own. */
export function AuditView({ audit, all, bare = false }: { audit: Audit; all: Audit[]; bare?: boolean }) {
  if (audit.error) return <article class="card"><h2>{audit.heuristic}</h2><Problem words={audit.error} /></article>;
  const share = audit.mean_h !== null && audit.mean_distance ? audit.mean_h / audit.mean_distance : null;
  const most = Math.max(1, ...all.flatMap(({ histogram = [] }) => histogram.flatMap(([h, distance]) => [h, distance])));
  return (
    <article class={bare ? "audit" : "card audit"}>
      <div>
        {!bare && <h2>{audit.heuristic}</h2>}
        <p class="row"><Fact name="admissible" value={audit.admissible} /><Fact name="consistent" value={audit.consistent} /></p>
        <div class="figures">
          <Figure name={audit.exhaustive ? "states, all" : "states sampled"} value={counted(audit.states)} />
          <Figure name="mean estimate" value={counted(audit.mean_h)} />
          <Figure name="mean distance" value={counted(audit.mean_distance)} />
          {share !== null && <Figure name="of the distance" value={`${Math.round(100 * share)} %`} />}
        </div>
        <details><summary>Report</summary><pre>{audit.report}</pre></details>
      </div>
      <Heat histogram={audit.histogram} most={most} />
    </article>
  );
}

function Fact({ name, value }: { name: string; value: boolean | null }) {
  const text = value === null ? `${name}: no counterexample` : value ? name : `not ${name}`;
  return <span class={`fact ${value === null ? "so-so" : value ? "good" : "bad"}`}>{text}</span>;
}

/** How many states have an estimate (across) and a distance (upwards); above the diagonal it never exceeds the distance. */
function Heat({ histogram, most }: { histogram: [number, number, number][]; most: number }) {
  const step = Math.max(1, Math.ceil((most + 1) / MOST_CELLS_ACROSS));
  const cells = new Map<string, [number, number, number]>();
  for (const [h, distance, number] of histogram) {
    const [x, y] = [Math.floor(h / step), Math.floor(distance / step)];
    const known = cells.get(`${x} ${y}`);
    cells.set(`${x} ${y}`, [x, y, number + (known?.[2] ?? 0)]);
  }
  const side = Math.floor(most / step) + 1;
  const largest = Math.max(1, ...[...cells.values()].map(([, , number]) => number));
  return (
    <svg class="heat" viewBox={`${-0.1 * side} ${-0.02 * side} ${1.12 * side} ${1.12 * side}`} role="img" aria-label="states by estimate and distance">
      <rect x="0" y="0" width={side} height={side} fill="var(--ground)" />
      {[...cells.values()].map(([x, y, number]) => (
        <rect key={`${x} ${y}`} x={x} y={side - 1 - y} width="1" height="1" class={x > y ? "over" : ""} fill-opacity={0.15 + (0.85 * Math.log(1 + number)) / Math.log(1 + largest)}>
          <title>{`estimate ${x * step}, distance ${y * step}: ${number.toLocaleString("en")} states`}</title>
        </rect>
      ))}
      <line x1="0" y1={side} x2={side} y2="0" stroke="var(--faint)" stroke-width={side / 200} stroke-dasharray={side / 50} />
      <text x={side / 2} y={side + 0.055 * side} font-size={0.05 * side}>estimate, 0 to {counted(most)}</text>
      <text x="0" y="0" font-size={0.05 * side} transform={`translate(${-0.05 * side} ${side / 2}) rotate(-90)`}>true distance</text>
    </svg>
  );
}
