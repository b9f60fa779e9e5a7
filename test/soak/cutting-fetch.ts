import type { FetchLike } from "../../runtime/src/client/http.js";
import type { Random } from "./random.js";

/**
 * A `fetch` that breaks some event streams after an event with an id. No message may be lost or arrive twice, because the
 * server stores the sent events.
 */
export function cuttingFetch(random: Random, probability: number, oncut: () => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { body } = response;
    const isStream = response.headers.get("content-type") === "text/event-stream";
    if (!isStream || !body || !random.chance(probability)) return response;
    const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    let left = random.between(0, 5);
    let text = "";
    const cut = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        controller.enqueue(value);
        text += Buffer.from(value).toString("latin1");
        if (!/^id: .*\n(.+\n)*\n/m.test(text) || left-- > 0) return;
        // Chunks that were already read are still passed on.
        await new Promise((resolve) => setTimeout(resolve, 1));
        await reader.cancel();
        oncut();
        controller.error(new TypeError("cut"));
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(cut, response);
  };
}
