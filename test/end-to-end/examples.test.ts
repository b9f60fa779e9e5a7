/** Each example runs its conversation over stdio and HTTP, in both eras; those with log-ins, and the service, run over HTTP. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startDesktop } from "../auth-server/desktop.js";
import { FormUser } from "../auth-server/form-user.js";
import { root } from "../cli/command-line.js";

const folder = join(root, "examples");
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "verify")
  .map(({ name }) => name);

const loader = import.meta.resolve("tsx");

/** Their users log in: below, and with Chromium in test/log-in/browser/examples.test.ts. */
const withLogin = ["login", "protected", "proxy"];
/** They have no program that verifies them: the cluster needs Redis (test/redis/cluster-example.test.ts), the service HTTP (below). */
const others = ["cluster", "service"];

test("the examples are these twelve", () =>
  expect(examples).toEqual([
    "carts",
    "chart",
    "chat",
    "cluster",
    "files",
    "login",
    "notes",
    "protected",
    "proxy",
    "service",
    "travel",
    "weather",
  ]));

test.each(examples.filter((name) => !others.includes(name) && !withLogin.includes(name)))(
  "%s",
  { timeout: 120_000 },
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--import",
      loader,
      join(folder, name, "verify.ts"),
    ]);
    const ways = ["stdio", "HTTP"].flatMap((transport) =>
      ["2025-11-25", "2026-07-28"].map((revision) => `ok ${name} over ${transport}, ${revision}`),
    );
    expect(stdout.trimEnd().split("\n").slice(0, 4)).toEqual(ways);
  },
);

test("login", { timeout: 120_000 }, async () => {
  const user = new FormUser();
  const desktop = await startDesktop((url) => void user.visit(url));
  onTestFinished(() => desktop.close());
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", loader, join(folder, "login/main.ts")], {
    env: { ...process.env, BROWSER: desktop.program },
  });
  expect(stdout.split("\n")).toEqual([
    "A user, who logs in with any name and password:",
    ...Array<string[]>(2).fill(["  read by ada", "  write by ada"]).flat(),
    "A service:",
    "  read by report",
    "",
  ]);
  expect(desktop.opened).toHaveLength(2);
});

test("service", { timeout: 120_000 }, async () => {
  const program = join(folder, "service/main.ts");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--import", loader, program]);
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "Reported by till-7: 30",
    "Reported by till-7: 12",
    "Total: 42",
    "A thief with the token, but without the key, gets 401 with the scheme Bearer.",
    "A thief with the token, but without the key, gets 401 with the scheme DPoP.",
    "",
  ]);
});
