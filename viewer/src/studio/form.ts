// What is searched: the fields of the search page. They are kept in the page's address, so that a link opens the same search.

export interface SearchForm {
  problem: string;
  instance: string;
  options: Record<string, string>;
  algorithm: string;
  heuristic: string;
  engine: string;
  threads: number | null;
  choices: Record<string, string | number | boolean | null>;
  seconds: number | null;
  expansions: number | null;
  memory: string;
  steps: boolean;
  /** Whether the search waits before its first step. */
  paused: boolean;
}

export const EMPTY: SearchForm = {
  problem: "sliding-tile",
  instance: "",
  options: {},
  algorithm: "",
  heuristic: "",
  engine: "",
  threads: null,
  choices: {},
  seconds: null,
  expansions: null,
  memory: "",
  steps: false,
  paused: false,
};

const TEXTS = ["problem", "instance", "algorithm", "heuristic", "engine", "memory"] as const;
const NUMBERS = ["threads", "seconds", "expansions"] as const;

/** The address, after the #, of the search page with this form. */
export function addressOf(form: SearchForm): string {
  const written = new URLSearchParams();
  for (const name of TEXTS) if (form[name]) written.set(name, form[name]);
  for (const name of NUMBERS) if (form[name] !== null) written.set(name, String(form[name]));
  for (const [name, value] of Object.entries(form.options)) if (value) written.set(`option.${name}`, value);
  for (const [name, value] of Object.entries(form.choices)) if (value !== null && value !== "" && value !== false) written.set(`choice.${name}`, JSON.stringify(value));
  if (form.steps) written.set("steps", "yes");
  if (form.steps && form.paused) written.set("paused", "yes");
  return `search?${written}`;
}

/** Whether the search of an address begins at once: the links of the compare page say so. */
export const begins = (address: string): boolean => formOf(address) !== null && new URLSearchParams(address.split(/\?(.*)/s)[1]).has("go");

/** The form in such an address; null if there is none. */
export function formOf(address: string): SearchForm | null {
  const [page, query] = address.split(/\?(.*)/s);
  if (page !== "search" || !query) return null;
  const written = new URLSearchParams(query);
  const form: SearchForm = { ...EMPTY, options: {}, choices: {} };
  for (const name of TEXTS) form[name] = written.get(name) ?? EMPTY[name];
  for (const name of NUMBERS) form[name] = written.has(name) ? Number(written.get(name)) : null;
  form.steps = written.has("steps");
  form.paused = written.has("paused");
  for (const [name, value] of written) {
    if (name.startsWith("option.")) form.options[name.slice(7)] = value;
    if (name.startsWith("choice.")) {
      try {
        form.choices[name.slice(7)] = JSON.parse(value);
      } catch {
        // a link that was shortened: the usual value holds
      }
    }
  }
  return form;
}
