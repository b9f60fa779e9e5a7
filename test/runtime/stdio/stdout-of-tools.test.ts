/** What tools do with `process.stdout` while a transport is open on it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundledServerTransport } from "./bundled.js";

const module = bundledServerTransport();
const stray = "stray".repeat(100_000);

test.each<readonly [way: string, script: string, diverted?: string]>([
  ["end with a text", `await new Promise((resolve) => process.stdout.end(stray, resolve));`],
  ["end with a text and its encoding", `process.stdout.end(Buffer.from(stray).toString("base64"), "base64");`],
  ["end without a text", `await new Promise((resolve) => process.stdout.end(resolve));`, ""],
  ["pipeline from a stream", `await pipeline(Readable.from([stray]), process.stdout);`],
  ["pipeline from a generator", `await pipeline(async function* () { yield stray; }, process.stdout);`],
  ["a pipeline that fails", `await pipeline(async function* () { throw 1; }, process.stdout).catch(() => {});`, ""],
  ["pipe", `const from = Readable.from([stray]); from.pipe(process.stdout); await finished(from);`],
  ["a web stream", `await Readable.toWeb(Readable.from([stray])).pipeTo(Writable.toWeb(process.stdout));`],
  ["cork", `process.stdout.cork(); process.stdout.write(stray);`],
  ["destroy", `process.stdout.destroy();`, ""],
  ["destroySoon", `process.stdout.destroySoon();`, ""],
  ["a default encoding", `process.stdout.setDefaultEncoding("hex");`, ""],
])("%s", async (_, script, diverted = stray) => {
  const source = `
    import { Readable, Writable } from "node:stream";
    import { finished, pipeline } from "node:stream/promises";
    const { StdioServerTransport } = await import(${JSON.stringify(module)});
    const stray = "stray".repeat(100_000);
    const transport = new StdioServerTransport();
    await transport.start();
    transport.send({ before: true });
    ${script}
    transport.send({ after: true });
    await transport.close();
    process.stdout.setDefaultEncoding("utf8");
    console.log("last");`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", source]);
  const { stdout, stderr } = await run.catch((error: unknown) => {
    throw new Error((error as { stderr: string }).stderr.slice(-500));
  });
  expect(stdout).toBe('{"before":true}\n{"after":true}\nlast\n');
  expect(stderr.length).toBe(diverted.length);
  expect(stderr === diverted).toBe(true);
});
