// Starts Python with bestfirst, in a worker. All files come from this site.

import { loadPyodide } from "./pyodide/pyodide.mjs";

export const here = (name) => new URL(name, import.meta.url).href;

export async function bytesOf(name) {
  const answer = await fetch(here(name));
  if (!answer.ok) throw new Error(`${name} cannot be loaded: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/** Python with the wheel of bestfirst, and with the modules and packages that are given: .py, .zip. */
export async function startedPython(...others) {
  const [python, wheel, ...contents] = await Promise.all([loadPyodide({ indexURL: here("pyodide/") }), bytesOf("bestfirst.whl"), ...others.map(bytesOf)]);
  const packages = python.runPython("import sysconfig; sysconfig.get_path('purelib')");
  python.unpackArchive(wheel, "wheel", { extractDir: packages });
  others.forEach((name, place) => {
    if (name.endsWith(".zip")) python.unpackArchive(contents[place], "zip", { extractDir: packages });
    else python.FS.writeFile(`${packages}/${name.split("/").at(-1)}`, new Uint8Array(contents[place]));
  });
  python.setStdin({ error: true });
  python.runPython("import importlib; importlib.invalidate_caches()");
  return python;
}
