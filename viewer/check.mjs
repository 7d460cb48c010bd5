// Checks recordings: each file must follow the schema, and the viewer's own code must read it as Python wrote it.
//
//   npm run check -- FILE.json ...      each a list of recordings; prints what the viewer has read, as JSON, one line per recording
import { Ajv } from "ajv";
import { build } from "esbuild";
import { readFileSync } from "node:fs";

const schema = JSON.parse(readFileSync("../docs/viewer-format.schema.json", "utf8"));
const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

/** The modules of the viewer that read recordings, which need no browser. */
const { outputFiles } = await build({
  stdin: { contents: 'export { checked } from "./src/format.ts"; export { Run } from "./src/run.ts";', resolveDir: ".", loader: "ts" },
  bundle: true, write: false, format: "esm", platform: "node", target: "es2022",
});
const { Run, checked } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

let wrong = 0;
for (const file of process.argv.slice(2)) {
  for (const recording of JSON.parse(readFileSync(file, "utf8"))) {
    if (!isValid(recording)) {
      wrong++;
      for (const { instancePath, message } of isValid.errors) console.error(`${file}: ${instancePath || "/"} ${message}`);
      continue;
    }
    const run = new Run(checked(recording));
    console.log(JSON.stringify({ nodes: run.nodes, events: run.events, counts: run.counts(run.events), goals: run.at.goal.length }));
  }
}
process.exit(wrong ? 1 : 0);
