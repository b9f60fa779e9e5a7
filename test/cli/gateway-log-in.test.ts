/** `mcpwright gateway` as a process, with a server at which each user logs in. */
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { expect, onTestFinished, test } from "vitest";
import { FormUser } from "../auth-server/form-user.js";
import { connectUser, type LogInPlace, logInPlace } from "../generator/commands/gateway/log-in-place.js";
import { configFile, textOf, toolNames } from "../generator/commands/gateway/places.js";
import { childCli, startCli } from "./command-line.js";

interface Running {
  readonly err: () => string;
  readonly end: () => Promise<void>;
}

async function start(config: string, { port }: LogInPlace): Promise<Running> {
  const child = startCli(["gateway", config, "--http", String(port)]);
  const closed = once(child, "close");
  let err = "";
  child.stderr?.on("data", (chunk) => (err += String(chunk)));
  const end = async (): Promise<void> => {
    child.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
  };
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(() => err, { timeout: 30_000 }).toContain("Users log in to docs at ");
  return { err: () => err, end };
}

/** What a client of 2025-11-25 gets that handles links by itself. */
async function linkOf(url: URL, login: string): Promise<string> {
  const { client } = await connectUser(url, login, true, {
    revisions: clientSides.filter(({ revision }) => revision === "2025-11-25"),
    completeUrlElicitations: false,
  });
  const refused: unknown = await client.callTool({ name: "docs_read" }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: -32042 });
  const { data } = refused as { readonly data: { readonly elicitations: readonly { readonly url: string }[] } };
  expect(data.elicitations).toMatchObject([{ mode: "url" }]);
  return data.elicitations[0]?.url ?? "";
}

test("a user logs in by the link, is known after a restart, and others are not", { timeout: 120_000 }, async () => {
  const at = await logInPlace();
  const config = configFile({ docs: { url: at.server.url.href, logIn: true } }, { gateway: at.gateway });
  const first = await start(config, at);
  const link = await linkOf(at.url, "ada");
  expect(link).toContain(`http://127.0.0.1:${at.port}/log-in?ticket=`);
  const grace = await connectUser(at.url, "grace", false);
  expect(await new FormUser({ login: "grace" }).open(link)).toContain("This link is for another user");
  expect(await new FormUser({ login: "ada" }).open(link)).toContain("You are logged in to docs");
  const ada = await connectUser(at.url, "ada", false);
  expect(await textOf(ada.client, "docs_read")).toBe("read by ada");
  expect(await textOf(grace.client, "docs_read")).toContain("ticket=");
  await first.end();

  const kept = readFileSync(at.file, "utf8");
  const tokens = [...kept.matchAll(/eyJ[\w.-]+/g)].map(([token]) => token);
  expect(tokens.length).toBeGreaterThan(0);
  if (process.platform !== "win32") expect(statSync(at.file).mode & 0o777).toBe(0o600);

  const second = await start(config, at);
  const again = await connectUser(at.url, "ada", false);
  expect(await textOf(again.client, "docs_read")).toBe("read by ada");
  const others = await connectUser(at.url, "grace", false);
  expect(await toolNames(others.client)).toEqual(["docs_log_in"]);
  expect(await textOf(others.client, "docs_read")).toContain("ticket=");
  // The link of the first process is of no use at the second one.
  expect(await new FormUser({ login: "ada" }).open(link)).toContain("has been used, has expired");
  await second.end();
  for (const printed of [first.err(), second.err()])
    for (const token of [...tokens, link]) expect(printed).not.toContain(token);
});

test(
  "without --http, nothing is served, and a lock without a log-in says what to do",
  { timeout: 120_000 },
  async () => {
    const at = await logInPlace();
    const config = configFile({ docs: { url: at.server.url.href, logIn: true } }, { gateway: at.gateway });
    const env = { XDG_CONFIG_HOME: join(at.file, "../.."), APPDATA: join(at.file, "../..") };
    const [stdio, lock] = await Promise.all([
      childCli(["gateway", config], { env }),
      childCli(["gateway", "lock", config], { env }),
    ]);
    expect(stdio).toMatchObject({ code: 1, out: "" });
    expect(stdio.err).toContain("gateway-authorization-over-stdio");
    expect(lock).toMatchObject({ code: 1 });
    expect(lock.err).toContain(`log in with "mcpwright login ${at.server.url.href}"`);
    expect(lock.out).toContain("0 servers, no changes");
  },
);
