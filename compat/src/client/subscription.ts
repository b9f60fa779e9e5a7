import type { NotificationMessage, Subscription } from "@mcpwright/protocol/contract";
import { SdkError, SdkErrorCode } from "../shared/errors.js";
import type { Notification, SubscriptionFilter } from "../types/index.js";
import { DEFAULT_REQUEST_TIMEOUT_MSEC, type RequestOptions } from "../shared/request-options.js";
import type { McpSubscription } from "./options.js";

/**
 * Waits until the server has acknowledged a stream, and passes its notifications on from then.
 * @throws SdkError `REQUEST_TIMEOUT` when the server does not acknowledge it
 */
export async function openSubscription(
  stream: Subscription,
  options: RequestOptions | undefined,
  deliver: (notification: Notification) => void,
): Promise<McpSubscription> {
  const { timeout = DEFAULT_REQUEST_TIMEOUT_MSEC } = options ?? {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new SdkError(SdkErrorCode.RequestTimeout, "subscriptions/listen ack timed out", { timeout }));
      // The stream has failed if it cannot be closed.
      stream.close().catch(() => undefined);
    }, timeout);
  });
  let acknowledged: { readonly notifications?: SubscriptionFilter };
  try {
    acknowledged = (await Promise.race([stream.acknowledged, late])) as typeof acknowledged;
  } finally {
    clearTimeout(timer);
  }
  let end!: (cause: "local" | "graceful" | "remote") => void;
  const closed = new Promise<"local" | "graceful" | "remote">((resolve) => (end = resolve));
  // The reason is known before the iteration ends.
  stream.result.then(
    () => end("graceful"),
    () => end("remote"),
  );
  deliverAll(stream, deliver).catch(() => end("remote"));
  return {
    honoredFilter: acknowledged.notifications ?? {},
    closed,
    close: () => {
      end("local");
      return stream.close();
    },
  };
}

async function deliverAll(
  stream: AsyncIterable<NotificationMessage>,
  deliver: (notification: Notification) => void,
): Promise<void> {
  for await (const event of stream) deliver(event as Notification);
}
