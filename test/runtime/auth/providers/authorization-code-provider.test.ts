import { describe, expect, test } from "vitest";
import { UnauthorizedError } from "../../../../runtime/src/auth/auth-errors.js";
import { CodeFlowFixture } from "./code-flow-fixture.js";

describe("AuthorizationCodeProvider", () => {
  test("logs in on a rejected request when it has an interaction", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.interactive();
    expect(await fixture.call(provider)).toBe(200);
    expect(await fixture.call(provider)).toBe(200);
    expect(fixture.pages).toHaveLength(1);
    expect(fixture.outcomes).toEqual(["success"]);
  });

  test("fails with the URL of the page, and finishes in another instance", async () => {
    const fixture = new CodeFlowFixture();
    const error = await fixture.call(fixture.provider()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnauthorizedError);
    const page = (error as UnauthorizedError).data.authorizationUrl ?? "";
    const callback = await fixture.authorizationServer.visit(page);
    const other = fixture.provider();
    expect(String(await other.finish(callback))).toBe(fixture.url.href);
    expect(await fixture.call(other)).toBe(200);
    expect(await fixture.call(fixture.provider())).toBe(200);
  });

  test("starts a log-in before any request", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    const { url, state } = await provider.start(fixture.url);
    const callback = await fixture.authorizationServer.visit(url);
    expect(callback.searchParams.get("state")).toBe(state);
    await provider.finish(`${callback.pathname}${callback.search}`);
    expect(await fixture.call(provider)).toBe(200);
    expect(fixture.network.requests("register")).toHaveLength(1);
  });
});
