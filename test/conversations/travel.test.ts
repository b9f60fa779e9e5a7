import { describe, expect, test } from "vitest";
import type { ElicitResult } from "../../runtime/src/authoring.js";
import { transportSetups } from "./transports.js";
import { recordedClient } from "./client.js";
import { R3, R5 } from "./messages.js";

describe.each(transportSetups)("$name", (carrier) => {
  test.each<[answer: ElicitResult, outcome: string]>([
    [{ action: "accept", content: { confirm: true, seat: "window" } }, "Barcelona is booked (window)"],
    [{ action: "accept", content: { confirm: false } }, "Nothing was booked (accept)"],
    [{ action: "decline" }, "Nothing was booked (decline)"],
    [{ action: "cancel" }, "Nothing was booked (cancel)"],
  ])("a host combines three servers of two eras, and its user answers %j", async (answer, outcome) => {
    const planner = recordedClient().client;
    const forecasts = recordedClient().client;
    const bookings = recordedClient({ capabilities: { elicitation: {} } }).client;
    const asked: string[] = [];
    bookings.setRequestHandler("elicitation/create", ({ message }) => {
      asked.push(message);
      return answer;
    });
    await planner.connect(await carrier.server("planner"));
    await forecasts.connect(await carrier.server("forecasts", { revisions: [R3] }));
    await bookings.connect(await carrier.server("bookings", { revisions: [R5] }));

    const { completion } = await planner.complete({
      ref: { type: "ref/prompt", name: "plan-vacation" },
      argument: { name: "destination", value: "Ba" },
    });
    const [destination = ""] = completion.values;
    const prompt = await planner.getPrompt({ name: "plan-vacation", arguments: { destination, days: "7" } });
    expect(prompt).toMatchObject({
      description: "7 days in Barcelona",
      messages: [
        { role: "user", content: { type: "text" } },
        { content: { type: "resource", resource: { uri: "travel://activities/Barcelona" } } },
      ],
    });

    const { resourceTemplates } = await forecasts.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "weather://forecast/{city}/{date}" }]);
    const forecast = await forecasts.readResource({ uri: "weather://forecast/Barcelona/2026-08-01" });
    expect(forecast.contents).toMatchObject([{ text: '{"city":"Barcelona","date":"2026-08-01","sun":true}' }]);

    const { tools } = await bookings.listTools();
    expect(tools).toMatchObject([{ name: "book", annotations: { destructiveHint: true } }]);
    const booked = await bookings.callTool({ name: "book", arguments: { city: destination } });
    expect(booked.content).toEqual([{ type: "text", text: outcome }]);
    expect(asked).toEqual(["Book Barcelona?"]);
  });
});
