// A run as it stands: its row and its board when it is over, its stream while it goes on.
import { useCallback, useEffect, useReducer, useRef } from "preact/hooks";

import { ApiError, getRun, postInterrupt, type RunSummary } from "../net/api";
import { follow, type Link } from "../net/stream";
import { EMPTY, fold } from "../state/board";
import type { Board, LogRecord } from "../words";

interface RunState {
  run: RunSummary | null;
  board: Board;
  link: Link | "loading" | "over" | "error";
  /** Somebody asked for the run to stop, and it has not yet. */
  interrupting: boolean;
  error: ApiError | null;
}

type Action =
  | { type: "loaded"; run: RunSummary; board: Board }
  | { type: "records"; records: LogRecord[] }
  | { type: "link"; link: Link }
  | { type: "interrupting"; going: boolean; error?: ApiError }
  | { type: "failed"; error: ApiError }
  | { type: "reset" };

const START: RunState = { run: null, board: EMPTY, link: "loading", interrupting: false, error: null };

function reduce(state: RunState, action: Action): RunState {
  switch (action.type) {
    case "loaded":
      return { ...state, run: action.run, board: action.board, link: action.board.ended ? "over" : "connecting", error: null };
    case "records": {
      // The stream begins with the run: what it brings first replaces what was loaded.
      const begins = action.records[0]?.seq === 1;
      const board = fold(begins ? EMPTY : state.board, action.records);
      if (!board.ended) return { ...state, board };
      return { ...state, board, link: "over", interrupting: false };
    }
    case "link":
      return state.board.ended ? state : { ...state, link: action.link };
    case "interrupting":
      return { ...state, interrupting: action.going && !state.board.ended, error: action.error ?? null };
    case "failed":
      return { ...state, link: "error", error: action.error };
    case "reset":
      return START;
  }
}

export function useRun(project: string, id: string): RunState & { interrupt: () => void; again: () => void } {
  const [state, send] = useReducer(reduce, START);
  const alive = useRef(0);

  const load = useCallback(() => {
    const turn = ++alive.current;
    send({ type: "reset" });
    getRun(project, id).then(
      (view) => alive.current === turn && send({ type: "loaded", run: view.run, board: view.state }),
      (error: unknown) => alive.current === turn && send({ type: "failed", error: asError(error) }),
    );
  }, [project, id]);
  useEffect(() => {
    load();
    return () => {
      alive.current++;
    };
  }, [load]);

  const goesOn = state.run !== null && state.link !== "over" && state.link !== "error" && state.link !== "loading";
  useEffect(() => {
    if (!goesOn) return;
    return follow(
      project,
      id,
      (records) => send({ type: "records", records }),
      (link) => send({ type: "link", link }),
    );
  }, [goesOn, project, id]);

  // Once it is over, the row says when and how.
  const stale = state.link === "over" && state.run?.state !== "ended";
  useEffect(() => {
    if (!stale) return;
    const timer = setTimeout(() => {
      void getRun(project, id).then((view) => send({ type: "loaded", run: view.run, board: view.state }), () => undefined);
    }, 300);
    return () => clearTimeout(timer);
  }, [stale]);

  const interrupt = useCallback(() => {
    send({ type: "interrupting", going: true });
    postInterrupt(project, id).catch((error: unknown) => send({ type: "interrupting", going: false, error: asError(error) }));
  }, [project, id]);
  return { ...state, interrupt, again: load };
}

function asError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, "unknown", String(error), "");
}
