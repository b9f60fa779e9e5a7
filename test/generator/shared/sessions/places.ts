import { existsSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import { serveHttp } from "../../../../runtime/src/node.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { weather } from "./weather.js";

type WeatherOptions = Parameters<typeof weather>[0];

let bundled: string | undefined;

/** The weather server as a command. */
export function weatherCommand(options: WeatherOptions = {}): readonly string[] {
  if (bundled === undefined || !existsSync(bundled)) {
    bundled = join(temporaryFolder("live"), "weather.mjs");
    const source = join(import.meta.dirname, "serve-weather.ts");
    buildSync({ entryPoints: [source], outfile: bundled, bundle: true, platform: "node", format: "esm" });
  }
  return [bundled, JSON.stringify(options)];
}

/** The weather server at a URL, until the test has finished. */
export function weatherUrl(options: WeatherOptions = {}): Promise<string> {
  return urlOf(weather(options));
}

export async function urlOf(server: Parameters<typeof serveHttp>[0]): Promise<string> {
  const served = await serveHttp(server, { graceMs: 0 });
  onTestFinished(async () => {
    const cut = setInterval(() => served.server.closeAllConnections(), 5);
    await served.close();
    clearInterval(cut);
  });
  return served.url.href;
}

/** Some HTTP server, until the test has finished. */
export async function httpServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** A child that runs this code. */
export function script(code: string): readonly string[] {
  return [process.execPath, "-e", code];
}
