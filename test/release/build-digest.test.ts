import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestOf } from "../../scripts/build-digest.js";

test("the digest of a build changes when a source or a result is changed, added, renamed or removed", () => {
  const root = mkdtempSync(join(tmpdir(), "mcpwright-digest-"));
  try {
    const write = (path: string, text: string): void => {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const digests: string[] = [];
    const differs = (): boolean => {
      const digest = digestOf(root);
      digests.push(digest);
      return digests.indexOf(digest) === digests.length - 1;
    };
    write("generator/cli.ts", "1");
    write("dist/cli.js", "1");
    expect(differs()).toBe(true);
    write("generator/cli.ts", "2");
    expect(differs()).toBe(true);
    write("dist/cli.js", "2");
    expect(differs()).toBe(true);
    write("runtime/dist/server.js", "1");
    expect(differs()).toBe(true);
    renameSync(join(root, "generator/cli.ts"), join(root, "generator/main.ts"));
    expect(differs()).toBe(true);
    rmSync(join(root, "dist/cli.js"));
    expect(differs()).toBe(true);
    write("dist/tsconfig.tsbuildinfo", "1");
    write("runtime/node_modules/a/index.js", "1");
    write("docs/guide.md", "1");
    expect(differs()).toBe(false);
  } finally {
    rmSync(root, { recursive: true });
  }
});
