import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Packed, publish } from "../../scripts/release/publish.js";
import { type Ended, type Run, runIn } from "../../scripts/release/run.js";

const fine: Ended = { code: 0, stdout: "", stderr: "" };
const unknown: Ended = { code: 1, stdout: "", stderr: "npm error code E404\n" };

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "mcpwright-publish-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function packed(version = "1.2.3"): readonly Packed[] {
  return ["@mcpwright/protocol", "@mcpwright/runtime", "mcpwright"].map((name, index) => {
    const tarball = join(folder, `${index}.tgz`);
    writeFileSync(tarball, name);
    return { manifest: { name, version }, tarball };
  });
}

function integrityOf(text: string): string {
  return `${JSON.stringify(`sha512-${createHash("sha512").update(text).digest("base64")}`)}\n`;
}

/** Simulates `npm view` and `npm publish`, by the name of the package. */
function registry(view: (name: string) => Ended, published: string[], publishing: () => Ended = () => fine): Run {
  return (program, [verb = "", what = "", ...options]) => {
    expect(program).toBe("npm");
    if (verb === "view") return view(what.replace(/@1\..*/, ""));
    published.push([verb, readFileSync(what, "utf8"), ...options].join(" "));
    return publishing();
  };
}

const options = "--provenance --access public --tag latest --ignore-scripts";

describe("publishing", () => {
  test("publishes dependencies first, with provenance", () => {
    const published: string[] = [];
    const lines: string[] = [];
    publish(
      packed(),
      registry(() => unknown, published),
      (line) => lines.push(line),
    );
    expect(published).toEqual(
      ["@mcpwright/protocol", "@mcpwright/runtime", "mcpwright"].map((name) => `publish ${name} ${options}`),
    );
    expect(lines.at(-1)).toBe("mcpwright 1.2.3 is published");
  });

  test("publishes a prerelease with the tag next", () => {
    const published: string[] = [];
    publish(
      packed("1.3.0-rc.1"),
      registry(() => unknown, published),
      () => undefined,
    );
    expect(published[0]).toContain("--tag next");
  });

  test("continues an interrupted run", () => {
    const published: string[] = [];
    const lines: string[] = [];
    const view = (name: string): Ended =>
      name === "@mcpwright/protocol" ? { ...fine, stdout: integrityOf(name) } : fine;
    publish(packed(), registry(view, published), (line) => lines.push(line));
    expect(lines[0]).toBe("@mcpwright/protocol 1.2.3 is already published");
    expect(published).toHaveLength(2);
  });

  test("stops when npm fails", () => {
    const published: string[] = [];
    const failing = registry(
      () => unknown,
      published,
      () => ({ ...fine, code: 1, stderr: "npm error code E403" }),
    );
    expect(() => publish(packed(), failing, () => undefined)).toThrow(
      "npm publish of @mcpwright/protocol failed (1):\nnpm error code E403",
    );
    expect(published).toHaveLength(1);
  });

  test.each<[string, Ended, string]>([
    [
      "the registry has different content",
      { ...fine, stdout: integrityOf("else") },
      "mcpwright 1.2.3 is already published with different content",
    ],
    [
      "the registry does not respond",
      { ...fine, code: 1, stderr: "npm error code ENOTFOUND" },
      "npm view of mcpwright failed (1):\nnpm error code ENOTFOUND",
    ],
  ])("publishes nothing when %s", (_, answer, message) => {
    const published: string[] = [];
    const view = (name: string): Ended => (name === "mcpwright" ? answer : unknown);
    expect(() => publish(packed(), registry(view, published), () => undefined)).toThrow(message);
    expect(published).toEqual([]);
  });
});

test.skipIf(process.platform === "win32")("runs the npm of PATH", () => {
  const log = join(folder, "log");
  const stub = join(folder, "npm");
  writeFileSync(
    stub,
    `#!/bin/sh\necho "$*" >> ${JSON.stringify(log)}\n[ "$1" = publish ] || { echo E404 >&2; exit 1; }\n`,
  );
  chmodSync(stub, 0o755);
  const { PATH } = process.env;
  process.env["PATH"] = [folder, PATH].join(delimiter);
  try {
    publish(packed(), runIn(folder), () => undefined);
  } finally {
    process.env["PATH"] = PATH;
  }
  const said = readFileSync(log, "utf8").trim().split("\n");
  expect(said.map((line) => line.split(" ")[0])).toEqual(["view", "view", "view", "publish", "publish", "publish"]);
  expect(said[3]).toBe(`publish ${join(folder, "0.tgz")} ${options}`);
});

describe("running a program", () => {
  test("reports a program that does not exist", () => {
    expect(runIn(folder)("no-such-program", [])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ENOENT") as string,
    });
  });

  test("kills a program that does not exit", () => {
    const ended = runIn(folder, 200)(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    expect(ended.code).toBe(1);
  });
});
