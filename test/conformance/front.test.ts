/** The front of the protected fixture server: it changes nothing but one header. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startFront } from "../../scripts/conformance/front.js";

const token = "Bearer token-of-the-front";

/** Starts a front before a backend with this listener. */
async function start(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const backend = createServer(serve).listen(0, "127.0.0.1");
  await once(backend, "listening");
  const front = await startFront();
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  front.passTo({ url, authorization: token });
  onTestFinished(async () => {
    await front.end();
    backend.closeAllConnections();
    backend.close();
  });
  return new URL(front.origin);
}

/** Sends bytes on a connection of its own. */
async function open({ hostname, port }: URL, bytes: string): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

test("passes method, path, headers and body on as they are, and replaces Authorization", async () => {
  const url = await start((incoming, response) => {
    void text(incoming).then((body) => {
      const { method, url, rawHeaders } = incoming;
      response.end(JSON.stringify({ method, url, rawHeaders, body }));
    });
  });
  const lines = ["HOST: Evil.example:80", "origin: null", "authorization: Bearer mine", "X-Twice: a", "X-Twice: b"];
  const socket = await open(
    url,
    `POST /mcp?a=%20 HTTP/1.1\r\n${lines.join("\r\n")}\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello`,
  );
  const answer = await text(socket);
  const [, received = ""] = /(\{.*\})/.exec(answer) ?? [];
  expect(JSON.parse(received)).toEqual({
    method: "POST",
    url: "/mcp?a=%20",
    rawHeaders: [
      ...["HOST", "Evil.example:80", "origin", "null", "X-Twice", "a", "X-Twice", "b"],
      ...["Connection", "close", "Content-Length", "5", "Authorization", token],
    ],
    body: "hello",
  });
});

test("passes status, headers and body of the response on as they are", async () => {
  const url = await start((_incoming, response) => {
    response.sendDate = false;
    response
      .writeHead(418, "Short and stout", ["Set-Cookie", "a=1", "set-cookie", "b=2", "Content-Length", "2"])
      .end("ok");
  });
  const socket = await open(url, "DELETE /mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toBe(
    "HTTP/1.1 418 Short and stout\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
  );
});

test("passes each part of a stream on when it arrives", async () => {
  let write: (chunk: string) => void = () => undefined;
  const url = await start((incoming, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    write = (chunk) => void response.write(chunk);
    incoming.on("data", (chunk: Buffer) => void response.write(`heard ${chunk.toString()}`));
  });
  const outgoing = request(url, { method: "POST", agent: false });
  outgoing.flushHeaders();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const next = async (): Promise<string> => String((await once(response, "data"))[0]);
  const first = next();
  write("one");
  expect(await first).toBe("one");
  const second = next();
  outgoing.write("two");
  expect(await second).toBe("heard two");
  outgoing.destroy();
});

test("closes its connection to the server when the client closes", async () => {
  let closed: Promise<unknown> | undefined;
  let arrived: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => void (arrived = resolve));
  const url = await start((_incoming, response) => {
    closed = once(response, "close");
    response.writeHead(200).flushHeaders();
    arrived();
  });
  const socket = await open(url, "GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n");
  await arrival;
  socket.destroy();
  await closed;
});

test("closes the connection of the client when the server does", async () => {
  const url = await start((incoming) => void incoming.socket.destroy());
  const socket = await open(url, "GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await text(socket)).toBe("");
});

test("each connection of a client has one connection to the server", async () => {
  const ports: (number | undefined)[] = [];
  const url = await start((incoming, response) => {
    ports.push(incoming.socket.remotePort);
    response.end("{}");
  });
  for (let connections = 0; connections < 2; connections++) {
    const socket = await open(url, "");
    for (let requests = 0; requests < 2; requests++) {
      socket.write("GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n");
      await once(socket, "data");
    }
  }
  const [first, second, third, fourth] = ports;
  expect([second, fourth]).toEqual([first, third]);
  expect(third).not.toBe(first);
});
