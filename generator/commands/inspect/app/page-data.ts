// What the page and the program that serves it send to each other. The page imports nothing else of the program.

/** What the page shows; it fetches it from `data.json`. */
export interface PageData {
  readonly version: string;
  readonly tool: { readonly name: string; readonly inputSchema: { readonly type: "object" } };
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: { readonly content: never[] };
  readonly resource: { readonly uri: string; readonly html: string; readonly meta: object };
  readonly sandboxUrl: string;
  /** Milliseconds until the app must be ready. */
  readonly readyTimeoutMs: number;
}

/** A request of the app to its server; the page posts it to `request`. */
export interface ServerRequest {
  readonly kind: "listTools" | "callTool" | "readResource";
  readonly params: object;
}

/** The response to a `ServerRequest`. */
export type ServerResponse =
  | { readonly result: object }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** Where the app is in the page, in CSS pixels; what `appShown` of the page resolves to. */
export interface AppPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
