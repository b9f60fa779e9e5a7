import { type EventStore, InMemoryEventStore } from "../../../runtime/src/server/http.js";
import { turn } from "./messages.js";

/** A store that responds asynchronously, with varying delays. */
export function slowStore(store: EventStore = new InMemoryEventStore()): EventStore {
  let times = 0;
  const later = () => turn(times++ % 3);
  return {
    async storeEvent(...event) {
      const id = store.storeEvent(...event);
      await later();
      return id;
    },
    async getStreamIdForEventId(id) {
      await later();
      return store.getStreamIdForEventId(id);
    },
    async replayEventsAfter(id, to) {
      await later();
      return store.replayEventsAfter(id, to);
    },
  };
}

/** A store that fails on demand. */
export function brittleStore(): EventStore & { broken: boolean } {
  const store = new InMemoryEventStore();
  const fail = () => {
    if (brittle.broken) throw new Error("the store is gone");
  };
  const brittle: EventStore & { broken: boolean } = {
    broken: false,
    storeEvent(...event) {
      fail();
      return store.storeEvent(...event);
    },
    getStreamIdForEventId(id) {
      fail();
      return store.getStreamIdForEventId(id);
    },
    replayEventsAfter(id, to) {
      fail();
      return store.replayEventsAfter(id, to);
    },
  };
  return brittle;
}

/** A store that delays lookups until it is released. */
export function patientStore(): EventStore & { readonly asked: boolean; readonly goOn: () => void } {
  const store = new InMemoryEventStore();
  let goOn: (() => void) | undefined;
  return {
    storeEvent: (...event) => store.storeEvent(...event),
    async getStreamIdForEventId(id) {
      await new Promise<void>((resolve) => (goOn = resolve));
      return store.getStreamIdForEventId(id);
    },
    replayEventsAfter: (id, to) => store.replayEventsAfter(id, to),
    get asked() {
      return goOn !== undefined;
    },
    goOn: () => goOn?.(),
  };
}
