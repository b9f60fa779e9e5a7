import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  auditLog,
  type AuditOptions,
  callLimits,
  createGateway,
  requireScopes,
} from "../../../../runtime/src/gateway.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { clientOf, eras, errorOf, text, type Revision } from "../../api/pair.js";
import { modern, R5 } from "../../http-server/messages.js";
import { fetchOf } from "../http.js";
import { endOf, join } from "../in-memory.js";
import { protect } from "../protected.js";

function mail(): McpServer {
  const server = new McpServer({ name: "mail", version: "1.0.0" }, { onerror: () => undefined });
  const inputSchema = z.object({ to: z.string(), token: z.string().optional() });
  server.registerTool("send", { inputSchema }, ({ to }) => {
    if (to === "nobody") throw new Error("unknown address");
    return text("sent");
  });
  server.registerTool(
    "wait",
    {},
    ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(text("late")))),
  );
  server.registerTool("ask", {}, async (context) => {
    const requestedSchema = { type: "object", properties: {} } as const;
    const { action } = await context.elicit("sure", { mode: "form", message: "Sure?", requestedSchema });
    return text(action);
  });
  server.registerPrompt("letter", {}, () => ({ messages: [] }));
  server.registerResource("inbox", "mail://inbox", {}, (uri) => ({ contents: [{ uri: uri.href, text: "empty" }] }));
  return server;
}

type Line = Record<string, unknown>;

async function audited(revision: Revision, options: AuditOptions = {}, server = mail()) {
  const lines: Line[] = [];
  const audit = auditLog((line) => lines.push(JSON.parse(line) as Line), options);
  const gateway = createGateway({ servers: { mail: { server, timeoutMs: 300 } }, audit });
  const { client } = clientOf(revision, { capabilities: { elicitation: { form: {} } } });
  await join(gateway, client);
  return { client, lines };
}

test.each(eras)("each request has a line, at %s", async (revision) => {
  const { client, lines } = await audited(revision);
  await client.listTools();
  await client.callTool({ name: "mail_send", arguments: { to: "ada", token: "secret" } });
  await client.callTool({ name: "mail_send", arguments: { to: "nobody" } });
  await client.getPrompt({ name: "mail_letter" });
  await client.readResource({ uri: "mail://inbox" });
  await errorOf(client.callTool({ name: "mail_none" }));
  expect(lines).toMatchObject([
    { client: "test", session: "1", server: "mail", method: "tools/call", item: "mail_send", outcome: "ok" },
    { item: "mail_send", outcome: "tool-error" },
    { method: "prompts/get", item: "mail_letter", server: "mail", outcome: "ok" },
    { method: "resources/read", item: "mail://inbox", server: "mail", outcome: "ok" },
    { method: "tools/call", item: "mail_none", outcome: "error", code: -32602 },
  ]);
  expect(lines.at(-1)).not.toHaveProperty("server");
  for (const line of lines) {
    expect(line).not.toHaveProperty("arguments");
    expect(line["durationMs"]).toBeGreaterThanOrEqual(0);
    expect(Date.now() - Date.parse(line["time"] as string)).toBeLessThan(60_000);
  }
});

test("arguments are logged if you want it, without secrets", async () => {
  const { client, lines } = await audited(R5, { arguments: true });
  await client.callTool({ name: "mail_send", arguments: { to: "ada", token: "secret" } });
  expect(lines).toMatchObject([{ arguments: { to: "ada", token: "[redacted]" } }]);
});

test.each(eras)("a call that the client cancels, and one that the server does not answer, at %s", async (revision) => {
  const { client, lines } = await audited(revision);
  const controller = new AbortController();
  const cancelled = client.callTool({ name: "mail_wait" }, { signal: controller.signal });
  await client.listPrompts();
  controller.abort();
  await expect(cancelled).rejects.toThrow("aborted");
  await expect.poll(() => lines).toMatchObject([{ item: "mail_wait", outcome: "cancelled" }]);
  await errorOf(client.callTool({ name: "mail_wait" }));
  expect(lines[1]).toMatchObject({ item: "mail_wait", server: "mail", outcome: "timeout" });
});

test("a question to the user is an outcome of the stateless era", async () => {
  const { client, lines } = await audited(R5);
  client.setRequestHandler("elicitation/create", () => ({ action: "decline" as const }));
  expect(await client.callTool({ name: "mail_ask" })).toMatchObject(text("decline"));
  expect(lines.map(({ outcome }) => outcome)).toEqual(["input-required", "ok"]);
});

test("a request that a limit refuses", async () => {
  const lines: Line[] = [];
  const limits = callLimits({ callsPerMinute: 1 });
  const audit = auditLog((line) => lines.push(JSON.parse(line) as Line));
  const gateway = createGateway({ servers: { mail: { server: mail(), limits } }, audit });
  const { client } = clientOf(R5);
  await join(gateway, client);
  await client.getPrompt({ name: "mail_letter" });
  await errorOf(client.getPrompt({ name: "mail_letter" }));
  expect(lines).toMatchObject([{ outcome: "ok" }, { server: "mail", outcome: "error", code: 429 }]);
});

test("calls that are refused before they are handled, over HTTP", async () => {
  const lines: Line[] = [];
  const audit = auditLog((line) => lines.push(JSON.parse(line) as Line));
  const scopes = requireScopes({ send: ["mail:send"] });
  const gateway = createGateway({ servers: { mail: { server: mail(), scopes } }, audit });
  const at = protect(gateway, { ann: [] });
  const client = await at.connect("ann", R5);
  for (const name of ["mail_send", "mail_none"]) await errorOf(client.callTool({ name, arguments: { to: "ada" } }));
  expect(lines).toMatchObject([
    { subject: "ann", method: "tools/call", item: "mail_send", outcome: "error" },
    { subject: "ann", method: "tools/call", item: "mail_none", outcome: "error", code: -32602 },
  ]);
});

test("sessions have numbers, and clients without a session have none", async () => {
  const lines: Line[] = [];
  const audit = auditLog((line) => lines.push(JSON.parse(line) as Line));
  const gateway = createGateway({ servers: { mail: { server: mail() } }, audit });
  for (const revision of eras) {
    const { client } = clientOf(revision);
    await client.connect(await endOf(gateway));
    await client.getPrompt({ name: "mail_letter" });
    await client.getPrompt({ name: "mail_letter" });
    onTestFinished(() => client.close());
  }
  const { fetch, close } = fetchOf(gateway);
  onTestFinished(close);
  const { headers, body } = modern(1, "prompts/get", { name: "mail_letter" });
  await fetch("http://localhost/mcp", {
    method: "POST",
    headers: headers as Record<string, string>,
    body: JSON.stringify(body),
  });
  expect(lines.map(({ session }) => session)).toEqual(["1", "1", "2", "2", undefined]);
});

test("a log that cannot be written affects no request, and is reported once", async () => {
  const problems: Error[] = [];
  let isFull = true;
  const written: string[] = [];
  const audit = auditLog((line) => {
    if (isFull) throw new Error("no space left on device");
    written.push(line);
  });
  const gateway = createGateway({
    servers: { mail: { server: mail() } },
    audit,
    onerror: (error) => problems.push(error),
  });
  const { client } = clientOf(R5);
  await join(gateway, client);
  for (let sent = 0; sent < 3; sent++) await client.getPrompt({ name: "mail_letter" });
  const problem = "the audit log cannot be written: no space left on device";
  expect(problems.map(({ message }) => message)).toEqual([problem]);
  isFull = false;
  await client.getPrompt({ name: "mail_letter" });
  isFull = true;
  await client.getPrompt({ name: "mail_letter" });
  expect(problems.map(({ message }) => message)).toEqual([problem, problem]);
  expect(written).toHaveLength(1);
});

test("invalid options are refused at once", () => {
  expect(() => auditLog(() => undefined, { maxLength: 1 })).toThrow("maxLength must be 4096 or more, not 1");
});
