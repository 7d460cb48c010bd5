// Bundles the viewer and the studio into the package, where they are committed, or into the directory that is given.
import { build } from "esbuild";
import { readFileSync, readdirSync } from "node:fs";

const options = {
  outdir: process.argv[2] ?? "../src/bestfirst",
  bundle: true,
  minify: true,
  charset: "ascii",
  format: "iife",
  target: "es2022",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  metafile: true,
  preserveSymlinks: true, // the packages may be those of another working tree
};

/** The licences of the packages whose code is in the bundle: they must stay with it. */
function licences(inputs) {
  const packages = Object.keys(inputs).map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  const texts = [...new Set(packages.filter(Boolean))].sort().map((name) => {
    const directory = `node_modules/${name}`;
    const { version } = JSON.parse(readFileSync(`${directory}/package.json`, "utf8"));
    const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version}\n\n${readFileSync(`${directory}/${file}`, "utf8").trim()}`;
  });
  return `/*! The viewer of bestfirst contains these packages.\n\n${texts.join("\n\n\n").replaceAll("*/", "* /")}\n*/`;
}

for (const entryPoints of [{ "viewer/viewer": "src/page.ts" }, { "studio/page/studio": "src/studio/main.tsx" }]) {
  const { metafile } = await build({ ...options, entryPoints, write: false });
  await build({ ...options, entryPoints, banner: { js: licences(metafile.inputs) } });
}
