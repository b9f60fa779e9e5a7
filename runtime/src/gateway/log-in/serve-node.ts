/** The members of a request of `node:http` that are read. */
export interface LogInRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The members of a response of `node:http` that are used. */
export interface LogInResponse {
  writeHead(status: number, headers: Readonly<Record<string, string | string[]>>): unknown;
  end(body?: string): unknown;
}

/** Serves a request of `node:http` with a web-standard handler. No page has a body to read. */
export function serveNode(
  { method = "GET", url = "/", headers }: LogInRequest,
  response: LogInResponse,
  origin: string,
  serve: (request: Request) => Promise<Response>,
): void {
  const answer = async (): Promise<void> => {
    const sent = new Headers();
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined && !name.startsWith(":")) sent.set(name, [value].flat().join(", "));
    const served = await serve(new Request(`${origin}${url}`, { method, headers: sent }));
    const cookies = served.headers.getSetCookie();
    const body = await served.text();
    response.writeHead(served.status, {
      ...Object.fromEntries([...served.headers].filter(([name]) => name !== "set-cookie")),
      ...(cookies.length > 0 && { "set-cookie": cookies }),
    });
    response.end(body);
  };
  answer().catch(() => {
    // A method that `Request` does not accept, such as TRACE.
    response.writeHead(400, {});
    response.end();
  });
}
