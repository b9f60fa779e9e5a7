import { everywhere, same } from "../verify/everywhere.js";
import { plan, type Servers } from "./plan.js";

const names = ["travel", "calendar", "weather"] as const;
const june = { city: "Barcelona", from: "2027-06-12", to: "2027-06-19", budget: 1_000 };

await everywhere(
  {
    name: "travel",
    servers: names.map((name) => new URL(`servers/${name}.ts`, import.meta.url)),
    client: { capabilities: { elicitation: {} } },
  },
  async (clients) => {
    const servers = Object.fromEntries(names.map((name, at) => [name, clients[at]])) as unknown as Servers;
    const { travel, calendar } = servers;
    const outcome = async (wish: typeof june): Promise<string[]> => (await plan(servers, wish)).slice(3);

    const { completion } = await travel.complete({
      ref: { type: "ref/prompt", name: "plan-vacation" },
      argument: { name: "city", value: "r" },
    });
    same(completion.values, ["Reykjavik", "Rome"]);
    same((await plan(servers, { ...june, budget: 1 })).slice(1), [
      "Preferences: Trains rather than planes. A room with a desk.",
      "Climate: 26 °C",
      "No offer costs at most 1 EUR",
    ]);

    for (const [action, expected] of [
      ["decline", "The user declined the offer"],
      ["cancel", "The user has not decided yet"],
    ] as const) {
      travel.setRequestHandler("elicitation/create", () => ({ action }));
      same(await outcome(june), [expected]);
    }
    const asked: string[] = [];
    travel.setRequestHandler("elicitation/create", ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { insurance: true } };
    });
    same(await outcome(june), [
      "Booked: Night train to Barcelona, small hotel, window seat, insured",
      "Vacation in Barcelona: 2027-06-12 to 2027-06-19",
    ]);
    same(asked, ["Book Night train to Barcelona, small hotel for 780 EUR?"]);
    same(await outcome(june), ["The calendar has Vacation in Barcelona from 2027-06-12 to 2027-06-19"]);
    same(await outcome({ ...june, from: "2027-06-22", to: "2027-06-24" }), [
      "The calendar has Conference from 2027-06-21 to 2027-06-22",
    ]);
    const { contents } = await calendar.readResource({ uri: "calendar://events/2027-06" });
    same(contents.length, 1);
  },
);
