import { describe, expect, test } from "vitest";
import type { ElicitRequestParams, ElicitResult } from "../../runtime/src/authoring.js";
import { InMemoryTransport } from "../../runtime/src/transport/in-memory.js";
import { absent, runConversation } from "../../runtime/src/testing.js";
import { transportSetups, converse } from "./transports.js";
import { recordedClient } from "./client.js";
import { agrees, refusesTheProbe } from "./fakes/openings.js";
import { handshake, R3, R4, R5, stateless } from "./messages.js";

const needs = { name: "needs-grants" };
const url = { elicitation: { form: {}, url: {} } };
const grant = (id: string) => ({ name: "grant", arguments: { id } });

/** Our client with URL elicitation, and the URLs that its user was sent to. */
function visitor(answer: (params: ElicitRequestParams) => ElicitResult | Promise<ElicitResult>) {
  const made = recordedClient({ capabilities: url });
  const visited: unknown[] = [];
  made.client.setRequestHandler("elicitation/create", (params) => {
    visited.push((params as { url?: unknown }).url);
    return answer(params);
  });
  return { ...made, visited };
}

describe.each(transportSetups)("$name", (carrier) => {
  test("repeats the call once after the user has given both grants that the error requires", async () => {
    const { client, recorder, visited } = visitor(({ message }) => {
      void client.callTool(grant(message.replace("Grant ", "")));
      return { action: "accept" };
    });
    await client.connect(await carrier.server("desk", { revisions: [R4] }));
    expect((await client.callTool(needs)).content).toMatchObject([{ text: "all granted" }]);
    expect(visited).toEqual(["https://grants.example/mail", "https://grants.example/calendar"]);
    const calls = recorder.find("out", { params: needs }) as { id: number }[];
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(recorder.find("in", "notifications/elicitation/complete")).toHaveLength(2);
    expect(recorder.find("out", { id: calls[0]?.id, method: absent })).toEqual([]);
  });

  test.each([
    ["declines", () => ({ action: "decline" as const })],
    ["has a browser that fails", () => ({ action: "cancel" as const })],
  ])("a user who %s: returns the error to the caller", async (_name, answer) => {
    const { client, recorder } = visitor(answer);
    await client.connect(await carrier.server("desk", { revisions: [R4] }));
    await expect(client.callTool(needs)).rejects.toMatchObject({ code: -32042, data: { elicitations: [{}, {}] } });
    expect(recorder.find("out", { params: needs })).toHaveLength(1);
  });

  test("without a completion, the call ends when the caller aborts it or the host completes it", async () => {
    const { client, recorder } = visitor(() => ({ action: "accept" }));
    await client.connect(await carrier.server("desk", { revisions: [R4] }));
    await expect(client.callTool(needs, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    const calling = client.callTool(needs);
    await expect.poll(() => recorder.find("in", { error: { code: -32042 } }).length).toBe(2);
    client.completeElicitation("mail");
    client.completeElicitation("calendar");
    client.completeElicitation("unknown");
    await expect(calling).rejects.toMatchObject({ code: -32042 }); // nothing was granted, and the client does not repeat the call forever
  });

  test("sends completions to the session that was asked, and ignores repeated ones", async () => {
    const { client, errors } = visitor(() => ({ action: "accept" }));
    await client.connect(await carrier.server("desk", { revisions: [R4] }));
    for (const id of ["mail", "mail", "unknown", "calendar"]) await client.callTool(grant(id));
    expect((await client.callTool(needs)).content).toMatchObject([{ text: "all granted" }]);
    expect(errors).toEqual([]);
  });

  test("in the stateless era, the result contains the URL question", async () => {
    const { client, visited, recorder } = visitor(async ({ message }) => {
      await client.callTool(grant(message.replace("Grant ", "")));
      return { action: "accept" };
    });
    await client.connect(await carrier.server("desk", { revisions: [R5] }));
    expect((await client.callTool(needs)).content).toMatchObject([{ text: "all granted" }]);
    expect(visited).toHaveLength(2);
    expect(recorder.find("in", { error: { code: -32042 } })).toEqual([]);
  });

  test.each([
    [R3, { elicitation: {} }],
    [R4, { elicitation: { form: {} } }],
  ])("%s with %j: returns a tool error", (revision, capabilities) =>
    converse(carrier, "desk", [
      ...handshake(revision, capabilities),
      { "->": { id: 1, method: "tools/call", params: needs } },
      { "<-": { id: 1, error: absent, result: { isError: true, content: [{ text: /visit a URL/ }] } } },
    ]),
  );

  test("names the missing capability to a stateless client without URL elicitation", () =>
    converse(carrier, "desk", [
      { "->": stateless(1, "tools/call", needs, { elicitation: {} }) },
      { "<-": { id: 1, error: { code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } } } },
    ]));
});

test.each([
  ["https://pay.example/checkout", true],
  ["HTTPS://pay.example", true],
  ["http://localhost:8080/callback", true],
  ["http://127.0.0.1/", true],
  ["http://[::1]:1", true],
  ["http://pay.example/", false],
  ["http://localhost.evil.example/", false],
  ["http://localhost@evil.example/", false],
  ["https://bank.example@evil.example/", false],
  ["https://:secret@evil.example/", false],
  ["javascript:alert(1)", false],
  ["data:text/html,<script>1</script>", false],
  ["file:///etc/passwd", false],
  [" https://pay.example", false],
])("a server that sends the user to %s; allowed: %s", async (url, allowed) => {
  const { client, visited } = visitor(() => ({ action: "accept" }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const connecting = client.connect(near);
  const params = { mode: "url", message: "Go", elicitationId: "1", url };
  await runConversation(
    {
      name: url,
      steps: [
        ...refusesTheProbe,
        ...agrees().slice(0, 3),
        { "<-": { id: "q", method: "elicitation/create", params } },
        { "->": { id: "q", ...(allowed ? { result: { action: "accept" } } : { error: { code: -32602 } }) } },
      ],
    },
    far,
    { as: "server" },
  );
  await connecting;
  expect(visited).toEqual(allowed ? [url] : []);
});
