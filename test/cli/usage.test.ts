import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeCommand } from "../../generator/cli/describe-command.js";
import { verbGroups } from "../../generator/cli/verbs.js";
import { sandbox } from "../generator/shared/files/sandbox.js";
import { cli, root } from "./command-line.js";

const known = "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28";
const schema = join(root, "schema/2024-11-05/schema.ts");

/** Command lines, with OUT for a folder that does not exist, and their error messages. */
const table: readonly (readonly [args: string, told: string])[] = [
  ["", "mcpwright <command> [options]\n\n"],
  ["frobnicate", "Unknown command: frobnicate.\nSee mcpwright --help."],
  ["generate --frobnicate --out OUT", "Unknown option: --frobnicate.\nSee mcpwright generate --help."],
  ["generate --Check --out OUT", "Unknown option: --Check. Did you mean --check?"],
  ["generate 1999-01-01 --out OUT", `error[revision-unknown]: unknown revision 1999-01-01; known revisions: ${known}`],
  ["generate 2024-11-05 1e3 --out OUT", `error[revision-unknown]: unknown revision 1e3; known revisions: ${known}`],
  [
    "generate ../2024-11-05 --out OUT",
    `error[revision-unknown]: unknown revision ../2024-11-05; known revisions: ${known}`,
  ],
  [
    "generate constructor --out OUT",
    `error[revision-unknown]: unknown revision constructor; known revisions: ${known}`,
  ],
  [`generate 2024-11-05 --schema ${schema} --out OUT`, "Pass revisions or --schema, not both."],
  ["generate --revision 2024-11-05 --out OUT", "--revision requires --schema, or a schema file in --over."],
  ["generate 2026-07-28 --extension ext --out OUT", "Pass --extension alone"],
  ["generate --schema s.ts --extension ext --out OUT", "Pass --extension alone"],
  ["generate --over 2026-07-28 --out OUT", "--over requires --extension."],
  ["generate --extension https://example.com/schema.ts --watch --out OUT", "--watch requires a file"],
  ["generate --import a=b.ts --out OUT", "--import requires a schema file."],
  ["explain Tool --import a=b.ts", "--import requires a schema file."],
  [`generate --schema ${schema} --import a --out OUT`, '--import must be <specifier>=<path or URL>, not "a".'],
  [`generate --schema ${schema} --import =a --out OUT`, '--import must be <specifier>=<path or URL>, not "=a".'],
  [`generate --schema ${schema} --import a= --out OUT`, '--import must be <specifier>=<path or URL>, not "a=".'],
  [`generate --schema ${schema} --import a=b --import a=c --out OUT`, "--import a is given twice."],
  ["generate --check --dry-run --out OUT", "Use only one of --check, --dry-run and --watch."],
  ["generate --check --watch --out OUT", "Use only one of --check, --dry-run and --watch."],
  [
    "generate --watch --schema http://127.0.0.1/schema.ts --out OUT",
    "--watch requires a file; a URL cannot be watched.",
  ],
  ["generate 2024-11-05 --only frobnicate --out OUT", "--only must be one of types, validate, "],
  ["generate 2024-11-05 --out OUT --only", "--only requires a value."],
  ["generate 2024-11-05 --out", "--out requires a value."],
  ["generate 2024-11-05 --out=", "--out must not be empty."],
  ["generate 2024-11-05 --out OUT --out OUT", "--out must not be repeated."],
  [`generate --schema ${schema} --schema ${schema} --out OUT`, "--schema must not be repeated."],
  [`model --schema ${schema} --schema ${schema}`, "--schema must not be repeated."],
  ["model 1999-01-01", `error[revision-unknown]: unknown revision 1999-01-01; known revisions: ${known}`],
  ["model 2024-11-05 2025-03-26", "Too many arguments, starting at 2025-03-26: mcpwright model [revision]"],
  ["revisions 2024-11-05", "Too many arguments, starting at 2024-11-05: mcpwright revisions"],
];

test.each(table)("mcpwright %s", async (line, told) => {
  const out = join(sandbox(), "out");
  const args = line.split(" ").filter((arg) => arg !== "");
  const outcome = await cli(...args.map((arg) => (arg === "OUT" ? out : arg)));
  expect(outcome).toMatchObject({ code: 2, out: "" });
  expect(outcome.err).toContain(told);
  expect(existsSync(out)).toBe(false);
});

const groups = verbGroups({ out: { write: () => true }, err: { write: () => true }, exit: () => undefined });
const options = groups.flatMap(({ verbs }) =>
  verbs.flatMap(({ name: verb, module }) => {
    const { positionals, options } = describeCommand(module);
    const line = [...verb.split(" "), ...positionals.map(({ choices }) => choices[0] ?? "x")];
    return options.map((option) => [`${verb} --${option.name}`, line, option] as const);
  }),
);

/** Of flags and numbers the last one counts. */
const texts = options.filter(([, , { isFlag, isList, isNumber }]) => !isFlag && !isList && !isNumber);

test.each(texts)("%s is taken once", async (_, line, { name, choices: [value = "v"] }) => {
  const { code, out, err } = await cli(...line, `--${name}`, value, `--${name}`, value);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(`--${name} must not be repeated.`);
});

test.each(options.filter(([, , { isFlag }]) => isFlag))("%s is true or false", async (_, line, { name }) => {
  const { code, out, err } = await cli(...line, `--${name}=perhaps`);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(`--${name}=perhaps must be true or false.`);
});

test("messages do not depend on the user's language", async () => {
  const before = process.env["LC_ALL"];
  process.env["LC_ALL"] = "de_DE.UTF-8";
  try {
    expect((await cli("generate", "--only")).err).toContain("--only requires a value.");
  } finally {
    if (before === undefined) delete process.env["LC_ALL"];
    else process.env["LC_ALL"] = before;
  }
});
