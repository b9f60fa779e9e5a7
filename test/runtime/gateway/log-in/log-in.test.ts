/** Each user logs in at a server behind the gateway. */
import { describe, expect, test, vi } from "vitest";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { type Answer, link, linkIn, logInPlace, type LogInPlace, names, type Opens } from "./log-in-place.js";

const revisions = ["2025-11-25", "2026-07-28"] as const;

/** A user who logs in at once, in a browser, and counts the links. */
function opening(at: LogInPlace, user: string, account = user): { opens: Opens; links: string[] } {
  const links: string[] = [];
  return {
    links,
    async opens(url): Promise<Answer> {
      links.push(url);
      const { status } = await at.browserOf(user, account).logIn(url);
      expect(status).toBe(200);
      return "accept";
    },
  };
}

const whoami = { name: "docs_whoami" };
const loggedOut = ["other_open", "docs_log_in"];
const loggedIn = ["docs_whoami", "other_open"];

function expectNoSecrets(at: LogInPlace, ...answers: readonly unknown[]): void {
  const known = JSON.stringify([at.seen, answers, at.node.gateway.servers.map((one) => [one, String(one.error)])]);
  expect(at.secrets().length).toBeGreaterThan(0);
  for (const secret of at.secrets()) expect(known).not.toContain(secret);
}

describe.each(revisions)("client of %s", (revision) => {
  test("a client without URL elicitation gets the link as text", async () => {
    const at = logInPlace();
    const client = await at.connect("ann", revision);
    expect(await names(client)).toEqual(loggedOut);
    const asked = await client.callTool({ name: "docs_log_in" });
    expect(asked.isError).toBeFalsy();
    const refused = await client.callTool(whoami);
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('"docs"') as string }] });
    expect(linkIn(refused)).toMatch(link);
    await expect(client.readResource({ uri: "docs://page" })).rejects.toMatchObject({
      code: -32603,
      data: { server: "docs", reason: "LOG_IN_REQUIRED", url: expect.stringMatching(link) as string },
    });
    const shown = await at.browserOf("ann").logIn(linkIn(asked));
    expect(shown).toMatchObject({ status: 200, text: expect.stringContaining("You are logged in to docs") as string });
    expect(await names(client)).toEqual(loggedIn);
    expect(await client.callTool(whoami)).toMatchObject({ content: [{ text: "you are ann" }] });
    expect(await client.callTool({ name: "docs_log_in" })).toMatchObject({
      content: [{ text: expect.stringContaining("is logged in") as string }],
    });
    expectNoSecrets(at, asked, refused, shown.text);
  });

  test.each(["2025-11-25", "2026-07-28"])(
    "asks with a URL, and goes on after the log-in; server of %s",
    async (server) => {
      const at = logInPlace({ revisions: { revisions: serverSides.filter((side) => side.revision === server) } });
      const { opens, links } = opening(at, "ann");
      const client = await at.connect("ann", revision, opens);
      const changed = vi.fn();
      client.onChanged("tools", changed);
      expect(await client.callTool({ name: "other_open" })).toMatchObject({ content: [{ text: "opened" }] });
      const result = await client.callTool(whoami);
      expect(result).toMatchObject({ content: [{ text: "you are ann" }] });
      expect(await client.readResource({ uri: "docs://page" })).toMatchObject({ contents: [{ text: "page of ann" }] });
      expect(await client.getPrompt({ name: "docs_greet" })).toMatchObject({ messages: [] });
      expect(await names(client)).toEqual(loggedIn);
      expect(links).toHaveLength(1);
      expect(at.entered).toEqual(["ann"]);
      if (revision === "2025-11-25") await expect.poll(() => changed.mock.calls.length).toBeGreaterThan(0);
      expectNoSecrets(at, result, links);
    },
  );

  test.each(["docs://page", undefined])("a resource or prompt asks, too: %s", async (uri) => {
    const at = logInPlace();
    const { opens, links } = opening(at, "ann");
    const client = await at.connect("ann", revision, opens);
    if (uri === undefined) expect(await client.getPrompt({ name: "docs_greet" })).toMatchObject({ messages: [] });
    else expect(await client.readResource({ uri })).toMatchObject({ contents: [{ text: "page of ann" }] });
    expect(links).toHaveLength(1);
  });

  test("two users at once have connections, lists and results of their own", async () => {
    const at = logInPlace();
    const [ann, bo, cy] = await Promise.all([
      at.connect("ann", revision, opening(at, "ann", "ann-at-docs").opens),
      at.connect("bo", revision, opening(at, "bo", "bo-at-docs").opens),
      at.connect("cy", revision),
    ]);
    // One browser after the other: the fake authorization server knows who visits it.
    expect(await ann.callTool(whoami)).toMatchObject({ content: [{ text: "you are ann-at-docs" }] });
    expect(await names(bo)).toEqual(loggedOut);
    expect(await bo.callTool(whoami)).toMatchObject({ content: [{ text: "you are bo-at-docs" }] });
    for (let round = 0; round < 3; round++) {
      const results = await Promise.all([ann.callTool(whoami), bo.callTool(whoami), names(cy), names(ann), names(bo)]);
      expect(results).toMatchObject([
        { content: [{ text: "you are ann-at-docs" }] },
        { content: [{ text: "you are bo-at-docs" }] },
        loggedOut,
        loggedIn,
        loggedIn,
      ]);
    }
    const pages = await Promise.all([ann, bo].map((one) => one.readResource({ uri: "docs://page" })));
    expect(pages).toMatchObject([
      { contents: [{ text: "page of ann-at-docs" }] },
      { contents: [{ text: "page of bo-at-docs" }] },
    ]);
    if (revision === "2026-07-28")
      for (const list of [
        await ann.listTools(),
        await cy.listTools(),
        await ann.listResources(),
        await cy.listPrompts(),
      ])
        expect(list).toMatchObject({ cacheScope: "private" });
    expect((await at.connect("cy", revision)).getInstructions() ?? "").not.toContain("Docs.");
    expect((await at.connect("ann", revision)).getInstructions() ?? "").toContain("Docs.");
    expect(at.node.gateway.servers[0]).toMatchObject({ state: "connected", error: undefined, lastError: undefined });
    expectNoSecrets(at);
  });

  test("a request waits for a log-in that takes longer than to open the link", async () => {
    const at = logInPlace();
    let url = "";
    const client = await at.connect("ann", revision, (opened) => {
      url = opened;
      return "accept";
    });
    const calling = client.callTool(whoami);
    await expect.poll(() => url).toMatch(link);
    expect(at.entered).toEqual([]);
    expect((await at.browserOf("ann").logIn(url)).status).toBe(200);
    expect(await calling).toMatchObject({ content: [{ text: "you are ann" }] });
  });

  test("a user who declines is not asked again in the same request", async () => {
    const at = logInPlace();
    const opens = vi.fn<Opens>(() => "decline");
    const client = await at.connect("ann", revision, opens);
    const outcome = await client.callTool(whoami).catch((error: unknown) => error);
    expect(JSON.stringify([outcome, (outcome as Error).message])).toMatch(/log in/i);
    expect(opens).toHaveBeenCalledTimes(1);
    expect(at.entered).toEqual([]);
  });

  test("a user who refuses the access at the server gets an error, and can log in later", async () => {
    const at = logInPlace();
    const statuses: number[] = [];
    const client = await at.connect("ann", revision, async (url): Promise<Answer> => {
      at.login.settings.refuses = statuses.length === 0;
      const shown = await at.browserOf("ann").logIn(url);
      statuses.push(shown.status);
      if (shown.status === 403) expect(shown.text).toContain("was not allowed");
      return "accept";
    });
    const outcome = await client.callTool(whoami).catch((error: unknown) => error);
    if (revision === "2026-07-28") expect(outcome).toMatchObject({ isError: true });
    else expect(outcome).toBeInstanceOf(Error);
    expect(await client.callTool(whoami)).toMatchObject({ content: [{ text: "you are ann" }] });
    expect(statuses).toEqual([403, 200]);
  });

  test("a token that expires is refreshed; one that is refused leads to another log-in", async () => {
    const at = logInPlace();
    const { opens, links } = opening(at, "ann");
    const client = await at.connect("ann", revision, opens);
    await client.callTool(whoami);
    for (const token of at.login.accessTokens.keys()) at.login.accessTokens.delete(token);
    expect(await client.callTool(whoami)).toMatchObject({ content: [{ text: "you are ann" }] });
    expect(links).toHaveLength(1);
    at.login.endLogins();
    expect(await client.callTool(whoami)).toMatchObject({ content: [{ text: "you are ann" }] });
    expect(links).toHaveLength(2);
    expect(at.node.gateway.servers[0]).toMatchObject({ error: undefined });
  });

  test("log-ins survive a restart, and count at all nodes that share the store", async () => {
    const stateKeys = [{ id: "one", key: new Uint8Array(32).fill(7) }];
    const at = logInPlace({ stateKeys });
    const first = at.node;
    const waiting = await at.connect("bo", revision);
    const { opens } = opening(at, "ann");
    await (await at.connect("ann", revision, opens)).callTool(whoami);
    const boLink = linkIn(await waiting.callTool(whoami));
    const second = at.addNode();
    const ann = await at.connect("ann", revision, undefined, second);
    expect(await ann.callTool(whoami)).toMatchObject({ content: [{ text: "you are ann" }] });
    // The link of one node works at the other, and the first one knows of the log-in.
    expect((await at.browserOf("bo").logIn(boLink)).status).toBe(200);
    expect(await waiting.callTool(whoami)).toMatchObject({ content: [{ text: "you are bo" }] });
    expect(first.gateway.servers[0]).toMatchObject({ state: "connected" });
  });

  test("a request goes on after a log-in at another node", async () => {
    const stateKeys = [{ id: "one", key: new Uint8Array(32).fill(7) }];
    const at = logInPlace({ stateKeys });
    let url = "";
    const client = await at.connect("ann", revision, (opened) => {
      url = opened;
      return "accept";
    });
    const calling = client.callTool(whoami);
    await expect.poll(() => url).toMatch(link);
    at.addNode();
    expect((await at.browserOf("ann").logIn(url)).status).toBe(200);
    expect(await calling).toMatchObject({ content: [{ text: "you are ann" }] });
  });

  test("a store that fails is an error of the request, and is reported without secrets", async () => {
    const store = { get: () => undefined, set: () => undefined, delete: () => undefined };
    const at = logInPlace({ store });
    const client = await at.connect("ann", revision);
    Object.assign(store, {
      set: (_key: string, value: string) => {
        throw new Error(`no space for ${value}`);
      },
    });
    const outcome = await client.callTool(whoami).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(Error);
    expect((outcome as Error).message).not.toContain("nonce");
    expect(JSON.stringify(at.seen)).toContain("the store of the log-ins could not write a link");
    expect(JSON.stringify(at.seen)).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
  });
});

test("a request asks again when the log-in takes too long", async () => {
  const at = logInPlace({ logIn: { waitMs: 1 } });
  const links: string[] = [];
  const client = await at.connect("ann", "2026-07-28", async (url): Promise<Answer> => {
    links.push(url);
    if (links.length === 3) expect((await at.browserOf("ann").logIn(url)).status).toBe(200);
    return "accept";
  });
  expect(await client.callTool(whoami)).toMatchObject({ content: [{ text: "you are ann" }] });
  expect(links).toHaveLength(3);
});

test("a request that is cancelled while it waits ends", async () => {
  const at = logInPlace();
  let url = "";
  const client = await at.connect("ann", "2026-07-28", (opened) => {
    url = opened;
    return "accept";
  });
  const controller = new AbortController();
  const calling = client.callTool(whoami, { signal: controller.signal });
  await expect.poll(() => url).toMatch(link);
  controller.abort();
  await expect(calling).rejects.toThrow();
  expect((await at.browserOf("ann").logIn(url)).status).toBe(200);
  expect(await client.callTool(whoami)).toMatchObject({ content: [{ text: "you are ann" }] });
  expect(at.entered).toEqual(["ann"]);
});

test("clients of old revisions get the link as text", async () => {
  const at = logInPlace();
  for (const { revision } of clientSides.slice(2, 4)) {
    const client = await at.connect("ann", revision);
    expect(linkIn(await client.callTool(whoami))).toMatch(link);
  }
});
