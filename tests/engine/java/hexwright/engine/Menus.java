package hexwright.engine;

import VASSAL.build.widget.PieceSlot;
import VASSAL.command.Command;
import VASSAL.command.RemovePiece;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.Stack;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs every menu command of every piece type, each on a fresh piece that is taken away again.
 *
 * <p>A command that is disabled at first may be enabled by another one (flip back after flip). So
 * the search goes on from the piece's state after each command, up to a few commands deep, until
 * every command has run once; the ones that were never enabled are named.
 */
final class Menus {
  private static final int DEEPEST = 3;

  private final Table.Place place;

  private Menus(Table.Place place) {
    this.place = place;
  }

  /** Piece types are the distinct gpids of slots, and of pieces in play that have no slot. */
  static List<Object> run(Table.Place place) throws Exception {
    final Menus menus = new Menus(place);
    final java.util.Map<String, GamePiece> types = Edt.call(() -> {
      final java.util.Map<String, GamePiece> found = new LinkedHashMap<>();
      for (PieceSlot slot : Table.components(PieceSlot.class)) {
        found.putIfAbsent(slot.getGpId(), Hands.take(slot));
      }
      for (GamePiece p : Table.pieces()) {
        found.putIfAbsent(Table.gpid(p), p);
      }
      return found;
    });
    final List<Object> result = new ArrayList<>();
    for (var type : types.entrySet()) {
      result.add(menus.runType(type.getKey(), type.getValue()));
    }
    return result;
  }

  private java.util.Map<String, Object> runType(String gpid, GamePiece master) throws Exception {
    final Set<String> offered = new LinkedHashSet<>();
    final Set<String> done = new LinkedHashSet<>();
    final List<Object> runs = new ArrayList<>();
    final Deque<List<String>> paths = new ArrayDeque<>();
    paths.add(List.of());
    while (!paths.isEmpty()) {
      final List<String> path = paths.poll();
      for (String entry : enabledAfter(master, path, offered)) {
        if (done.add(entry)) {
          final List<String> longer = new ArrayList<>(path);
          longer.add(entry);
          runs.add(runEntry(master, path, entry));
          if (longer.size() < DEEPEST) {
            paths.add(longer);
          }
        }
      }
    }
    final Set<String> never = new LinkedHashSet<>(offered);
    never.removeAll(done);
    return Json.of("gpid", gpid, "name", Edt.call(master::getName), "runs", runs, "neverEnabled", never);
  }

  /** The enabled entries of the menu after some commands; all entries are added to the set. */
  private List<String> enabledAfter(GamePiece master, List<String> path, Set<String> offered) throws Exception {
    return onFresh(master, path, piece -> {
      final List<String> enabled = new ArrayList<>();
      if (piece.getMap() == null) {
        return enabled;      // a command took the piece away
      }
      for (KeyCommand command : Hands.menu(piece)) {
        final String name = command.getName();
        if (name == null || name.isEmpty() || command.isMenuSeparator() || command.getKeyStroke() == null) {
          continue;
        }
        offered.add(name);
        if (command.isEnabled()) {
          enabled.add(name);
        }
      }
      return enabled;
    });
  }

  private java.util.Map<String, Object> runEntry(GamePiece master, List<String> path, String entry) throws Exception {
    final int problemsBefore = Report.problems();
    final List<String> chat = new ArrayList<>();
    Watch.newChat();
    Watch.DIALOGS.clear();
    final java.util.Map<String, Object> run = onFresh(master, path, piece -> {
      String error = null;
      boolean changed = false;
      final List<String> tree = new ArrayList<>();
      try {
        final Command command = press(piece, entry);
        changed = command != null && !command.isNull();
        Strict.tree(command, 0, tree);
      }
      catch (Exception | LinkageError e) {
        error = Report.trace(e);
        Report.problem("menu", "'" + entry + "' of '" + master.getName() + "' failed: " + error);
      }
      return Json.of("entry", entry, "after", path, "changed", changed, "commands", tree, "error", error);
    });
    chat.addAll(Watch.newChat());
    run.put("chat", chat);
    run.put("dialogs", new ArrayList<>(Watch.DIALOGS));
    run.put("problems", Report.problems() - problemsBefore);
    return run;
  }

  private static Command press(GamePiece piece, String entry) {
    for (KeyCommand command : Hands.menu(piece)) {
      if (entry.equals(command.getName())) {
        return Hands.key(List.of(piece), command.getKeyStroke());
      }
    }
    throw new IllegalStateException("menu entry gone: " + entry);
  }

  private interface Work<T> {
    T on(GamePiece piece) throws Exception;
  }

  /** Puts a fresh piece down, runs some commands and the work, and restores the table. */
  private <T> T onFresh(GamePiece master, List<String> path, Work<T> work) throws Exception {
    return Edt.call(() -> {
      final java.util.Map<String, String> before = states();
      final GamePiece piece = PieceCloner.getInstance().clonePiece(master);
      place.map.placeAt(piece, place.map.snapTo(place.point));
      for (String entry : path) {
        press(piece, entry);
      }
      final T value = work.on(piece);
      restore(before);
      return value;
    });
  }

  private static java.util.Map<String, String> states() {
    final java.util.Map<String, String> states = new LinkedHashMap<>();
    for (GamePiece p : Table.state().getAllPieces()) {
      states.put(p.getId(), p.getState());
    }
    return states;
  }

  private static void restore(java.util.Map<String, String> before) {
    for (GamePiece p : new ArrayList<>(Table.state().getAllPieces())) {
      final boolean isStack = p instanceof Stack;
      if (!before.containsKey(p.getId())) {
        if (!isStack || ((Stack) p).getPieceCount() == 0) {
          new RemovePiece(p).execute();
        }
      }
      else if (!isStack && !p.getState().equals(before.get(p.getId()))) {
        p.setState(before.get(p.getId()));
      }
    }
    final Set<String> left = new HashSet<>();
    Table.state().getAllPieces().forEach(p -> left.add(p.getId()));
    for (String id : before.keySet()) {
      if (!left.contains(id)) {
        Report.say("note", "text", "a menu command removed another piece: " + id);
      }
    }
  }
}
