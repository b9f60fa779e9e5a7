import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** The version has no tag and no changelog entry, and the tests do not run in a CI service that npm trusts. */
test.skipIf(process.platform === "win32")("builds and publishes nothing when there is an obstacle", () => {
  const folder = mkdtempSync(join(tmpdir(), "mcpwright-release-test-"));
  try {
    const called = join(folder, "called");
    writeFileSync(join(folder, "npm"), `#!/bin/sh\ntouch ${JSON.stringify(called)}\n`);
    chmodSync(join(folder, "npm"), 0o755);
    const { status, stdout } = spawnSync(
      process.execPath,
      ["node_modules/tsx/dist/cli.mjs", "scripts/release/main.ts"],
      {
        cwd: root,
        encoding: "utf8",
        env: { PATH: [folder, process.env["PATH"]].join(delimiter) },
        timeout: 60_000,
      },
    );
    expect(stdout).toContain("Cannot be published because:");
    expect(stdout).toContain("this is neither GitHub Actions nor GitLab CI: npm cannot state provenance");
    expect(stdout).toContain("Nothing was built or published.");
    expect(status).toBe(1);
    expect(existsSync(called)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
