/** The pages behind `node:http`. */
import { createServer, type IncomingMessage, request, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { linkIn, logInPlace, page } from "./log-in-place.js";

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function send(port: number, method: string, path: string): Promise<{ response: IncomingMessage; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", method, path }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => (body += part));
      response.on("end", () => resolve({ response, body }));
    });
    sent.on("error", reject).end();
  });
}

test("the listener serves the pages with their headers and cookies", async () => {
  const at = logInPlace();
  const port = await listen(at.node.users.listener);
  const url = new URL(linkIn(await (await at.connect("ann", "2026-07-28")).callTool({ name: "docs_log_in" })));
  const shown = await send(port, "GET", `${url.pathname}${url.search}`);
  expect(shown.response).toMatchObject({ statusCode: 200, headers: { "referrer-policy": "no-referrer" } });
  expect(shown.body).toContain("Log in to docs");
  const begun = await send(port, "POST", `${url.pathname}${url.search}`);
  expect(begun.response.headers["set-cookie"]).toEqual([expect.stringMatching(/^__Host-mcp-log-in-.*; HttpOnly/)]);
  expect(begun.body).toContain("https://auth.example.com/authorize");
  expect((await send(port, "HEAD", `${url.pathname}${url.search}`)).body).toBe("");
  expect((await send(port, "TRACE", url.pathname)).response.statusCode).toBe(400);
  expect((await send(port, "GET", "/elsewhere")).response.statusCode).toBe(404);
  expect((await send(port, "GET", "//evil.example.com/log-in")).response.statusCode).toBe(404);
});

test("with next, requests for other paths are passed on", async () => {
  const at = logInPlace();
  const port = await listen((request, response) =>
    at.node.users.listener(request, response, () => void response.writeHead(299).end()),
  );
  expect((await send(port, "GET", "/mcp")).response.statusCode).toBe(299);
  expect((await send(port, "GET", `${new URL(page).pathname}/client`)).response.statusCode).toBe(200);
  expect((await send(port, "GET", new URL(page).pathname)).response.statusCode).toBe(410);
});
