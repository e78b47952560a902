package hexwright.engine;

import VASSAL.build.widget.PieceSlot;
import VASSAL.command.Command;
import VASSAL.command.RemovePiece;
import VASSAL.counters.Decorator;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.Stack;
import VASSAL.tools.SequenceEncoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Runs every menu command of every piece type, each on a fresh piece that is taken away again.
 *
 * <p>A command that is disabled at first may be enabled by another one (flip back after flip). So
 * the search goes on from the piece's state after each command, up to a few commands deep, until
 * every command has run once; the ones that were never enabled are named.
 */
final class Menus {
  static final int DEEPEST = 3;

  private final Table.Place place;
  /** How many commands are tried in a row. */
  private final int deepest;
  /** State of every piece in play, by id, before anything was tried. */
  private final java.util.Map<String, String> before;
  /** Ids of the pieces named by the commands since the table was last restored. */
  private final Set<String> touched = new HashSet<>();

  private Menus(Table.Place place, int deepest, java.util.Map<String, String> before) {
    this.place = place;
    this.deepest = deepest;
    this.before = before;
  }

  /**
   * A piece type is what slots (and pieces in play without a slot) have in common: the same traits
   * in the same order, and the same menu. Pictures, names and numbers may differ.
   */
  static List<Object> run(Table.Place place, int deepest) throws Exception {
    final Menus menus = new Menus(place, deepest, Edt.call(Menus::states));
    final java.util.Map<String, GamePiece> masters = new LinkedHashMap<>();
    final java.util.Map<String, List<String>> gpids = new LinkedHashMap<>();
    Edt.run(() -> {
      final Set<String> known = new HashSet<>();
      final List<GamePiece> all = new ArrayList<>();
      Table.components(PieceSlot.class).forEach(slot -> all.add(Hands.take(slot)));
      all.addAll(Table.pieces());
      for (GamePiece piece : all) {
        final String gpid = Table.gpid(piece);
        if (known.add(gpid)) {
          final String type = kind(piece);
          masters.putIfAbsent(type, piece);
          gpids.computeIfAbsent(type, k -> new ArrayList<>()).add(gpid);
        }
      }
    });
    final List<Object> result = new ArrayList<>();
    // Nobody looks, and painting would take half of the time.
    Edt.run(() -> showMaps(false));
    try {
      for (var type : masters.entrySet()) {
        result.add(menus.runType(gpids.get(type.getKey()), type.getValue()));
      }
    }
    finally {
      Edt.run(() -> showMaps(true));
    }
    return result;
  }

  private static String kind(GamePiece piece) {
    final StringBuilder kind = new StringBuilder();
    for (GamePiece q = piece; q instanceof Decorator; q = ((Decorator) q).getInner()) {
      kind.append(q.getClass().getSimpleName()).append('\n');
    }
    for (KeyCommand command : Hands.menu(piece)) {
      kind.append(command.getName()).append('\t').append(command.getKeyStroke()).append('\n');
    }
    return kind.toString();
  }

  private static void showMaps(boolean shown) {
    VASSAL.build.module.Map.getMapList().forEach(map -> map.getView().setVisible(shown));
  }

  private java.util.Map<String, Object> runType(List<String> gpids, GamePiece master)
      throws Exception {
    final Set<Entry> offered = new LinkedHashSet<>();
    final Set<Entry> done = new LinkedHashSet<>();
    final List<Object> runs = new ArrayList<>();
    final Deque<List<Entry>> paths = new ArrayDeque<>();
    paths.add(List.of());
    boolean again = deepest < DEEPEST;
    while (true) {
      if (paths.isEmpty()) {
        if (again) {
          break;
        }
        again = true;
        paths.addAll(pairs(done));
      }
      if (paths.isEmpty() || again && done.containsAll(offered)) {
        break;
      }
      final List<Entry> path = paths.poll();
      for (Entry entry : enabledAfter(master, path, offered)) {
        if (done.add(entry)) {
          final List<Entry> longer = new ArrayList<>(path);
          longer.add(entry);
          runs.add(runEntry(master, path, entry));
          if (longer.size() < deepest) {
            paths.add(longer);
          }
        }
      }
    }
    offered.removeAll(done);
    return Json.of("gpids", gpids, "name", Edt.call(() -> Table.basicName(master)),
      "runs", runs, "neverEnabled", names(offered));
  }

  /**
   * What still is grey may need a command that was tried already, but after another one, or twice
   * (two losses).
   */
  private static List<List<Entry>> pairs(Set<Entry> done) {
    final List<List<Entry>> pairs = new ArrayList<>();
    for (Entry first : done) {
      for (Entry second : done) {
        pairs.add(List.of(first, second));
      }
    }
    return pairs;
  }

  private static List<String> names(java.util.Collection<Entry> entries) {
    final List<String> names = new ArrayList<>();
    entries.forEach(e -> names.add(e.name));
    return names;
  }

  /** The enabled entries of the menu after some commands; all entries are added to the set. */
  private List<Entry> enabledAfter(GamePiece master, List<Entry> path, Set<Entry> offered)
      throws Exception {
    final List<Entry> found = onFresh(master, path, piece -> {
      final List<Entry> enabled = new ArrayList<>();
      if (piece.getMap() == null) {
        return enabled;      // a command took the piece away
      }
      for (KeyCommand command : Hands.menu(piece)) {
        final Entry entry = Entry.of(command);
        if (entry == null) {
          continue;
        }
        offered.add(entry);
        if (command.isEnabled()) {
          enabled.add(entry);
        }
      }
      return enabled;
    });
    return found == null ? List.of() : found;
  }

  private java.util.Map<String, Object> runEntry(GamePiece master, List<Entry> path, Entry entry)
      throws Exception {
    final int problemsBefore = Report.problems();
    Watch.newChat();
    Watch.DIALOGS.clear();
    Watch.forgetWarnings();
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
        Report.problem("menu",
          "'" + entry.name + "' of '" + Table.basicName(master) + "' failed: " + error);
      }
      return Json.of("entry", entry.name, "key", entry.key, "after", names(path),
        "changed", changed, "commands", tree, "error", error);
    });
    run.put("chat", Watch.newChat());
    run.put("dialogs", new ArrayList<>(Watch.DIALOGS));
    run.put("problems", Report.problems() - problemsBefore);
    return run;
  }

  /** Null when the menu does not offer the entry. */
  private Command press(GamePiece piece, Entry entry) {
    for (KeyCommand command : Hands.menu(piece)) {
      if (command.isEnabled() && entry.equals(Entry.of(command))) {
        final Command done = Hands.key(List.of(piece), command.getKeyStroke());
        noteTouched(done);
        return done;
      }
    }
    return null;
  }

  private void noteTouched(Command command) {
    if (command == null) {
      return;
    }
    final String text = Strict.encode(command);
    if (text != null && text.matches("(?s)[+DM-]/.*")) {
      touched.add(new SequenceEncoder.Decoder(text.substring(2), '/').nextToken(""));
    }
    for (Command sub : command.getSubCommands()) {
      noteTouched(sub);
    }
  }

  private interface Work<T> {
    T on(GamePiece piece) throws Exception;
  }

  /** Puts a fresh piece down, runs some commands and the work, and restores the table. */
  private <T> T onFresh(GamePiece master, List<Entry> path, Work<T> work) throws Exception {
    return Edt.call(() -> {
      touched.clear();
      final GamePiece piece = PieceCloner.getInstance().clonePiece(master);
      place.map.placeAt(piece, place.map.snapTo(place.point));
      boolean possible = true;
      for (Entry entry : path) {
        possible = possible && press(piece, entry) != null;
      }
      final T value = possible ? work.on(piece) : null;
      restore();
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

  /** Takes away what is new, and sets back the other pieces that the commands changed. */
  private void restore() {
    final Set<String> left = new HashSet<>();
    for (GamePiece p : new ArrayList<>(Table.state().getAllPieces())) {
      final boolean isStack = p instanceof Stack;
      left.add(p.getId());
      if (!before.containsKey(p.getId())) {
        if (!isStack || ((Stack) p).getPieceCount() == 0) {
          new RemovePiece(p).execute();
        }
      }
      else if (!isStack && touched.contains(p.getId())) {
        p.setState(before.get(p.getId()));
      }
    }
    before.keySet().removeIf(id -> {
      final boolean gone = !left.contains(id);
      if (gone && touched.contains(id)) {
        Report.say("note", "text", "a menu command removed another piece: " + id);
      }
      return gone;
    });
  }

  /** A menu entry: the same text may stand in two submenus, with different keys. */
  private static final class Entry {
    final String name;
    final String key;

    private Entry(String name, String key) {
      this.name = name;
      this.key = key;
    }

    /** Null for separators and for the entries that open submenus. */
    static Entry of(KeyCommand command) {
      final String name = command.getName();
      if (name == null || name.isEmpty() || command.isMenuSeparator()
          || command.getKeyStroke() == null) {
        return null;
      }
      return new Entry(name, String.valueOf(command.getKeyStroke()));
    }

    @Override public boolean equals(Object other) {
      return other instanceof Entry && name.equals(((Entry) other).name)
        && key.equals(((Entry) other).key);
    }

    @Override public int hashCode() {
      return Objects.hash(name, key);
    }
  }
}
