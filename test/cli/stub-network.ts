import { vi } from "vitest";

/**
 * Replaces the network.
 * @param bodies the responses, by the end of the URL; others are 404. Undefined: all connections are refused
 */
export function stubNetwork(bodies: Readonly<Record<string, string>> | undefined): void {
  vi.stubGlobal("fetch", ({ href }: URL) => {
    if (!bodies) {
      const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      return Promise.reject(new TypeError("fetch failed", { cause }));
    }
    const [, body] = Object.entries(bodies).find(([end]) => href.endsWith(end)) ?? [];
    return Promise.resolve(new Response(body ?? "", { status: body === undefined ? 404 : 200 }));
  });
}
