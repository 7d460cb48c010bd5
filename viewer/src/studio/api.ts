// Asks the studio's server: questions with one answer, and jobs whose messages arrive while they run.

export interface Picture {
  kind: "board" | "place" | "shapes" | "svg" | "text";
  cells?: [number, number, string][];
  row?: number;
  column?: number;
  text?: string;
  width?: number;
  height?: number;
  svg?: string;
  aspect?: number;
  shapes?: [number, number, number, number, string, string][];
}

export interface Background {
  lines: [number, number, number, number][];
  blocked: string[];
  cities: [number, number, string][];
}

export interface Plan {
  stages: string[];
  why: Record<string, string>;
}

export interface Option {
  name: string;
  hint: string;
  needed: boolean;
  usual?: string;
}

export interface Example {
  name: string;
  instance: string;
  options: Record<string, string>;
}

export interface ProblemKind {
  name: string;
  summary: string;
  hint: string;
  takes_instance: boolean;
  long: boolean;
  options: Option[];
  sizes: string[];
  examples: Example[];
}

export interface AlgorithmOption {
  name: string;
  kind: "number" | "choice" | "flag" | "heuristic";
  hint: string;
  choices?: string[];
  usual?: number;
}

export interface AlgorithmKind {
  name: string;
  summary: string;
  heuristic: "required" | "if any" | "optional" | "none";
  promise: string;
  options: AlgorithmOption[];
}

export interface GameKind {
  name: string;
  summary: string;
  options: { name: string; usual: string }[];
}

export interface LessonKind {
  name: string;
  title: string;
  summary: string;
  questions: number;
}

export interface Catalogue {
  problems: ProblemKind[];
  algorithms: AlgorithmKind[];
  games: GameKind[];
  lessons: LessonKind[];
  errors: string[];
  methods: string[];
  /** Whether searches can be paused: not in the studio without a server. */
  pauses: boolean;
  levels: { name: string; summary: string }[];
}

const GONE = "The studio does not answer. Start it again with bestfirst studio, and open the address that it prints.";

async function sent(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), ...(signal && { signal }) });
  } catch (error) {
    throw signal?.aborted ? error : new Error(GONE);
  }
  if (!answer.ok) {
    const words = await answer.text();
    throw new Error(words.startsWith("{") ? JSON.parse(words).error : words);
  }
  return answer;
}

export async function catalogue(): Promise<Catalogue> {
  const answer = await fetch("/api/catalogue");
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** The answer to a question; throws an Error in words. */
export async function ask<Answer>(request: { work: string } & Record<string, unknown>): Promise<Answer> {
  const found = await (await sent("/api/ask", request)).json();
  if (found.error) throw new Error(found.error);
  return found;
}

export interface Message {
  job?: string;
  error?: string;
  [name: string]: unknown;
}

/** A job under way. It ends with the page that asked for it. */
export class Job {
  private readonly control = new AbortController();
  private name = "";

  /** Ask for an end with the results so far. */
  stop(): void {
    if (this.name) void sent("/api/stop", { job: this.name }).catch(() => undefined);
    else this.cancel();
  }

  /** Pause it, or let it go on: to its end, or by a step. */
  act(action: "pause" | "go" | "step"): void {
    if (this.name) void sent("/api/act", { job: this.name, action }).catch(() => undefined);
  }

  /** End it at once; no more messages arrive. */
  cancel(): void {
    this.control.abort();
  }

  get isCancelled(): boolean {
    return this.control.signal.aborted;
  }

  /** Runs a request, and calls `hear` for each message, an error in words among them; resolves at the end. */
  async run(request: { work: string } & Record<string, unknown>, hear: (message: Message) => void): Promise<void> {
    try {
      const answer = await sent("/api/run", request, this.control.signal);
      for await (const line of linesOf(answer.body!)) {
        if (this.isCancelled) return;
        const message = JSON.parse(line) as Message;
        if (message.job) this.name = message.job;
        else hear(message);
      }
    } catch (error) {
      if (!this.isCancelled) hear({ error: error instanceof SyntaxError || error instanceof TypeError ? GONE : words(error) });
    }
  }
}

export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let parts: string[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const pieces = value.split("\n");
    for (const piece of pieces.slice(0, -1)) {
      yield [...parts, piece].join("");
      parts = [];
    }
    if (pieces.at(-1)) parts.push(pieces.at(-1)!);
  }
}
