// The studio: its pages, their addresses, and the colours and sizes of all of them.

import { type Signal, signal } from "@preact/signals";
import { render } from "preact";
import { catalogue, words } from "./api.ts";
import { ComparePage, CompareView } from "./compare_page.tsx";
import { begins, formOf } from "./form.ts";
import { LabPage, LabView } from "./lab_page.tsx";
import { LessonsPage, LessonsView } from "./lessons_page.tsx";
import { PlayPage, PlayView } from "./play_page.tsx";
import { SearchPage, SearchView } from "./search_page.tsx";
import { Problem } from "./widgets.tsx";
import "../viewer.css";
import "./studio.css";

const PAGES = { search: "Search", play: "Play", compare: "Compare", laboratory: "Laboratory", lessons: "Lessons" } as const;
type PageName = keyof typeof PAGES;

class Studio {
  readonly page: Signal<PageName> = signal("search");
  readonly isDark = signal(window.matchMedia("(prefers-color-scheme: dark)").matches);
  readonly isLarge = signal(false);

  constructor(
    readonly search: SearchPage,
    readonly play: PlayPage,
    readonly compare: ComparePage,
    readonly lab: LabPage,
    readonly lessons: LessonsPage,
    readonly errors: readonly string[],
  ) {
    this.follow();
    window.addEventListener("hashchange", () => this.follow(true));
  }

  /** Show the page of the address. */
  private follow(isNew = false): void {
    const address = location.hash.slice(1);
    const name = address.split("?")[0];
    const page = name in PAGES ? (name as PageName) : "search";
    if (this.page.value === "play" && page !== "play") this.play.rest();
    if (this.page.value === "laboratory" && page !== "laboratory") this.lab.written.rest();
    const form = formOf(address);
    if (isNew && form) this.search.open(form);
    if (begins(address)) void this.search.run();
    this.page.value = page;
    if (page === "lessons") this.lessons.open(new URLSearchParams(address.split(/\?(.*)/s)[1]).get("name"));
    if (page === "play") this.play.wake();
  }
}

function StudioView({ studio }: { studio: Studio }) {
  const { page, isDark, isLarge } = studio;
  return (
    <div class={`studio ${isDark.value ? "dark" : "light"} ${isLarge.value ? "large" : ""}`}>
      <header class="bar">
        <h1>bestfirst <span>studio</span></h1>
        <nav>
          {Object.entries(PAGES).map(([name, title]) => <a key={name} href={`#${name}`} aria-current={page.value === name ? "page" : undefined}>{title}</a>)}
        </nav>
        <button type="button" aria-pressed={isLarge.value} onClick={() => (isLarge.value = !isLarge.value)} title="Large type, for a projector">A+</button>
        <button type="button" aria-pressed={isDark.value} onClick={() => (isDark.value = !isDark.value)} title="Dark colours">{"\u25d1"}</button>
      </header>
      <main>
        {studio.errors.map((error) => <Problem key={error} words={error} />)}
        {page.value === "search" && <SearchView page={studio.search} />}
        {page.value === "play" && <PlayView page={studio.play} />}
        {page.value === "laboratory" && <LabView page={studio.lab} />}
        {page.value === "lessons" && <LessonsView page={studio.lessons} />}
        {page.value === "compare" && <CompareView page={studio.compare} />}
      </main>
    </div>
  );
}

async function start(): Promise<void> {
  const element = document.getElementById("studio")!;
  history.replaceState(null, "", `/${location.hash}`); // the token is in a cookie now
  try {
    const known = await catalogue();
    const search = new SearchPage(known);
    const studio = new Studio(search, new PlayPage(known), new ComparePage(known), new LabPage(search), new LessonsPage(known.lessons), known.errors);
    element.textContent = "";
    render(<StudioView studio={studio} />, element);
    Object.assign(element, { studio });
    element.dataset.state = "ready";
  } catch (error) {
    element.textContent = words(error);
    element.dataset.state = "failed";
  }
}

void start();
