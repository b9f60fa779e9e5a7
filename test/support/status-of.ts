import { request as send } from "node:http";

/** The status of a response, to a request with any headers: `fetch` sets `Host` and `Origin` itself. */
export function statusOf(url: string, headers: Record<string, string>, method = "GET"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    send(url, { headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
