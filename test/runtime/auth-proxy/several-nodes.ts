/** A proxy on three machines: each request of a user or a client reaches another one. */
import { expect, onTestFinished, test } from "vitest";
import { BackplaneProxyStore } from "../../../runtime/src/auth-proxy/backplane.js";
import { createOAuthProxy } from "../../../runtime/src/auth-proxy/create-oauth-proxy.js";
import type { OAuthProxy } from "../../../runtime/src/auth-proxy/oauth-proxy.js";
import type { ValueStore } from "../../../runtime/src/backplane.js";
import {
  authorizationUrl,
  Browser,
  flowOptions,
  type FlowProxy,
  redeem,
  startFlow,
  webRedirect,
} from "./log-in-flow.js";

interface Nodes {
  readonly flow: FlowProxy;
  readonly proxies: readonly OAuthProxy[];
  /** The requests, each with the number of its node. */
  readonly received: [node: number, path: string][];
  readonly errors: Error[];
}

const machines = [0, 1, 2];

/** @param open opens the backplane of one node */
export function severalNodes(open: (node: number) => ValueStore | Promise<ValueStore>): void {
  async function start(accessTokenSeconds?: number): Promise<Nodes> {
    const stores = await Promise.all(machines.map(async (node) => new BackplaneProxyStore(await open(node))));
    const [store] = stores;
    if (!store) throw new Error("there are no stores");
    const flow = await startFlow({ store }, accessTokenSeconds);
    const { issuer, upstream, errors } = flow;
    const onerror = (error: Error): void => void errors.push(error);
    const others = await Promise.all(
      stores.slice(1).map((store) => createOAuthProxy({ ...flowOptions(issuer, upstream), store, onerror })),
    );
    onTestFinished(() => Promise.all(others.map((proxy) => proxy.close())).then(() => undefined));
    const proxies = [flow.proxy, ...others];
    const received: [number, string][] = [];
    flow.http.removeAllListeners("request").on("request", (request, response) => {
      const node = received.length % proxies.length;
      received.push([node, new URL(request.url ?? "", issuer).pathname]);
      proxies[node]?.listener(request, response);
    });
    return { flow, proxies, received, errors };
  }

  /** Makes the next request reach a node. */
  function reach({ received }: Nodes, node: number): void {
    while (received.length % machines.length !== node) received.push([-1, ""]);
  }

  async function token({ flow }: Nodes, parameters: Readonly<Record<string, string>>): Promise<Response> {
    return fetch(`${flow.issuer}/token`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "web", ...parameters }),
    });
  }

  const accepts = ({ proxies, flow }: Nodes, access: string): Promise<boolean[]> =>
    Promise.all(
      proxies.map(async ({ verifier }) => {
        try {
          await verifier.verifyAccessToken(access, { resource: `${flow.issuer}/mcp` });
          return true;
        } catch {
          return false;
        }
      }),
    );

  test("a log-in: authorization, consent, the provider's redirect, tokens and refresh at different nodes", async () => {
    const nodes = await start();
    const { flow, received } = nodes;
    for (const first of machines) {
      reach(nodes, first);
      const begin = received.length;
      const code = await new Browser().logIn(flow);
      expect(code.url.href).toMatch(/^https:\/\/client\.example\/callback\?.*code=/);
      const tokens = await redeem(flow, code);
      expect(await accepts(nodes, tokens.access_token)).toEqual([true, true, true]);
      const refreshed = await token(nodes, { grant_type: "refresh_token", refresh_token: tokens.refresh_token });
      expect(refreshed.status).toBe(200);
      const own = received.slice(begin).filter(([node]) => node >= 0);
      expect(new Set(own.map(([node]) => node)).size).toBe(3);
      const paths = own.map(([, path]) => path);
      expect(paths[0]).toBe("/authorize");
      expect(paths.filter((path) => path === "/token")).toHaveLength(2);
      expect(paths).toContain("/callback");
    }
    expect(nodes.errors).toEqual([]);
  });

  test("of many requests at all nodes with one code, one gets tokens, which end when the others show the theft", async () => {
    const nodes = await start();
    const { url, verifier } = await new Browser().logIn(nodes.flow);
    const parameters = {
      grant_type: "authorization_code",
      code: url.searchParams.get("code") ?? "",
      redirect_uri: webRedirect,
      code_verifier: verifier,
    };
    const responses = await Promise.all(Array.from({ length: 12 }, () => token(nodes, parameters)));
    const bodies = await Promise.all(
      responses.map((response) => response.json() as Promise<{ readonly access_token?: unknown }>),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    expect(new Set(statuses)).toEqual(new Set(statuses.includes(200) ? [200, 400] : [400]));
    const tokens = bodies.flatMap(({ access_token }) => (typeof access_token === "string" ? [access_token] : []));
    for (const one of tokens) expect(await accepts(nodes, one)).toEqual([false, false, false]);
    const again = await token(nodes, parameters);
    expect([again.status, await again.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  });

  test("a code is redeemed at one node, and then at none", async () => {
    const nodes = await start();
    const code = await new Browser().logIn(nodes.flow);
    await redeem(nodes.flow, code);
    for (const node of machines) {
      reach(nodes, node);
      await expect(redeem(nodes.flow, code)).rejects.toThrow(/invalid_grant/);
    }
  });

  test("a refresh token is used at one node, and then at none: the tokens of the log-in end everywhere", async () => {
    const nodes = await start();
    const { refresh_token } = await redeem(nodes.flow, await new Browser().logIn(nodes.flow));
    const first = await token(nodes, { grant_type: "refresh_token", refresh_token });
    expect(first.status).toBe(200);
    const { access_token } = (await first.json()) as { access_token: string };
    expect(await accepts(nodes, access_token)).toEqual([true, true, true]);
    expect((await token(nodes, { grant_type: "refresh_token", refresh_token })).status).toBe(400);
    expect(await accepts(nodes, access_token)).toEqual([false, false, false]);
  });

  test("a token that is revoked at one node is invalid at all", async () => {
    const nodes = await start();
    const { access_token, refresh_token } = await redeem(nodes.flow, await new Browser().logIn(nodes.flow));
    expect(await accepts(nodes, access_token)).toEqual([true, true, true]);
    const body = new URLSearchParams({ token: refresh_token, client_id: "web" });
    expect((await fetch(`${nodes.flow.issuer}/revoke`, { method: "POST", body })).status).toBe(200);
    expect(await accepts(nodes, access_token)).toEqual([false, false, false]);
  });

  test("a remembered consent counts at every node", async () => {
    const nodes = await start();
    const browser = new Browser();
    await browser.logIn(nodes.flow, {}, { remember: true });
    for (const node of machines) {
      reach(nodes, node);
      const again = await authorizationUrl(nodes.flow);
      const { url } = await browser.follow(again.url, [nodes.flow.issuer]);
      expect(url.origin).toBe(nodes.flow.provider.issuer);
    }
  });

  test("the nodes refresh the provider's tokens of a user one after the other, each with the newest refresh token", async () => {
    const nodes = await start(30);
    const { access_token } = await redeem(nodes.flow, await new Browser().logIn(nodes.flow));
    const resource = `${nodes.flow.issuer}/mcp`;
    const found = await Promise.all(
      nodes.proxies.map(async (proxy) =>
        proxy.upstreamTokens(await proxy.verifier.verifyAccessToken(access_token, { resource })),
      ),
    );
    for (const { accessToken } of found) expect(accessToken).toHaveLength(43);
    expect(nodes.errors).toEqual([]);
  });
}
