import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { greeter } from "../generator/commands/bundle/bundled-project.js";
import { sandbox } from "../generator/shared/files/sandbox.js";
import { cli, exitCode, startCli } from "./command-line.js";

test.each([
  [["--out", "weather.zip"], "The file of --out must end in .mcpb."],
  [["--icon", "icon.svg"], "The file of --icon must end in .png."],
  [["--env", "=1"], "--env must be NAME or NAME=value."],
  [["--secret", "KEY=s3cret"], "--secret must be NAME: the file contains no secrets."],
  [["--env", "A", "--secret", "A"], "The variable A is named twice."],
  [["--timeout", "0"], "--timeout must be a positive number of seconds"],
  [["a", "b"], "Too many arguments, starting at b"],
])("wrong usage: bundle %j", async (args, message) => {
  const { code, out, err } = await cli("bundle", ...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(message);
});

test("the files, the size and the digest are printed, and findings beside them", { timeout: 60_000 }, async () => {
  const folder = greeter();
  const { code, out, err } = await cli("bundle", folder, "--include", "words.txt", "--dry-run");
  expect(code).toBe(0);
  expect(out.replaceAll(folder, "OUT")).toMatch(
    /^ {2}build\/main\.mjs {2}[\d.]+ [kM]B\n {2}manifest\.json {2}\d+ B\n {2}package\.json {2}\d+ B\n {2}words\.txt {2}10 B\nOUT\/greeter-1\.2\.3\.mcpb would be written: [\d.]+ kB, 1 tool\nsha256 [0-9a-f]{64}\n$/,
  );
  expect(err).toMatch(/^finding\[bundle-own-place\]: lib\/old\.cjs uses the place of its own file/);
});

test("Ctrl-C ends the server that is listed, and leaves nothing", { timeout: 60_000 }, async () => {
  const temporary = sandbox();
  const mark = join(temporary, "pid");
  const folder = greeter({
    "build/main.js": `import { renameSync, writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(`${mark}.new`)}, String(process.pid));\nrenameSync(${JSON.stringify(`${mark}.new`)}, ${JSON.stringify(mark)});\nprocess.stdin.resume();\n`,
  });
  const before = readdirSync(folder);
  const child = startCli(["bundle", folder], { env: { TMPDIR: temporary, TEMP: temporary } });
  const ended = exitCode(child);
  await expect.poll(() => existsSync(mark), { timeout: 40_000 }).toBe(true);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(readdirSync(folder)).toEqual(before);
  expect(readdirSync(temporary).filter((name) => name.startsWith("mcpwright"))).toEqual([]);
  expect(() => process.kill(Number(readFileSync(mark, "utf8")), 0)).toThrow("ESRCH");
});
