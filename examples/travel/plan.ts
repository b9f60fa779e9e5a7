import type { Client } from "@mcpwright/runtime/client/core";

/** One connected client per server. */
export interface Servers {
  readonly travel: Client;
  readonly calendar: Client;
  readonly weather: Client;
}

export interface Wish {
  readonly city: string;
  /** Date as YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** In EUR. */
  readonly budget: number;
}

/**
 * Plans a vacation with three servers, as a model would: reads their resources, searches, books an offer that the user confirms,
 * and adds it to the calendar.
 * @returns the steps taken, one line each
 */
export async function plan({ travel, calendar, weather }: Servers, wish: Wish): Promise<string[]> {
  const { city, from, to, budget } = wish;
  const months = [...new Set([from, to].map((day) => day.slice(0, 7)))];
  // The requests run concurrently.
  const [prompt, preferences, busy, climate, search] = await Promise.all([
    travel.getPrompt({ name: "plan-vacation", arguments: { city, from, to, budget: String(budget) } }),
    read(travel, "travel://preferences"),
    Promise.all(months.map((month) => read(calendar, `calendar://events/${month}`))),
    call(weather, "climate", { city, month: Number(from.slice(5, 7)) }),
    travel.callTool({ name: "search", arguments: { ...wish } }),
  ]);
  const wanted = prompt.messages.map(({ content }) => (content.type === "text" ? content.text : content.type));
  const known = [`Wanted: ${wanted[0] ?? ""}`, `Preferences: ${preferences}`, `Climate: ${climate}`];

  const events = busy.flatMap((text) => JSON.parse(text) as { from: string; to: string; what: string }[]);
  const clash = events.find((event) => event.from <= to && event.to >= from);
  if (clash) return [...known, `The calendar has ${clash.what} from ${clash.from} to ${clash.to}`];

  const { offers } = search.structuredContent as { offers: { id: string; what: string; price: number }[] };
  const [best] = offers.toSorted((a, b) => a.price - b.price);
  if (!best) return [...known, `No offer costs at most ${budget} EUR`];

  const booked = await call(travel, "book", { offer: best.what, price: best.price });
  if (!booked.startsWith("Booked")) return [...known, booked];
  return [...known, booked, await call(calendar, "add-event", { from, to, what: `Vacation in ${city}` })];
}

async function read(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return contents.map((part) => ("text" in part ? part.text : part.uri)).join("\n");
}

/** @throws Error when the tool fails */
async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
  if (isError === true) throw new Error(`${name}: ${text}`);
  return text;
}
