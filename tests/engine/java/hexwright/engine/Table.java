package hexwright.engine;

import VASSAL.build.AbstractBuildable;
import VASSAL.build.Buildable;
import VASSAL.build.GameModule;
import VASSAL.build.module.BasicLogger;
import VASSAL.build.module.GameState;
import VASSAL.build.module.Map;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.counters.Deck;
import VASSAL.counters.Decorator;
import VASSAL.counters.DynamicProperty;
import VASSAL.counters.Embellishment;
import VASSAL.counters.FreeRotator;
import VASSAL.counters.GamePiece;
import VASSAL.counters.Hideable;
import VASSAL.counters.MovementMarkable;
import VASSAL.counters.Obscurable;
import VASSAL.counters.Properties;
import VASSAL.counters.Stack;
import java.awt.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/** What lies on the table: components, maps, pieces and locations, as values for reports. */
final class Table {
  /** A point of a map, in map pixels. */
  static final class Place {
    final Map map;
    final Point point;

    Place(Map map, Point point) {
      this.map = map;
      this.point = point;
    }
  }

  private Table() { }

  static GameModule module() {
    return GameModule.getGameModule();
  }

  static GameState state() {
    return module().getGameState();
  }

  static BasicLogger logger() {
    return (BasicLogger) module().getLogger();
  }

  /** All components of a class, anywhere in the module, in build order. */
  static <T> List<T> components(Class<T> kind) {
    return components(module(), kind);
  }

  static <T> List<T> components(AbstractBuildable root, Class<T> kind) {
    final List<T> found = new ArrayList<>();
    for (Buildable child : root.getBuildables()) {
      if (kind.isInstance(child)) {
        found.add(kind.cast(child));
      }
      if (child instanceof AbstractBuildable) {
        found.addAll(components((AbstractBuildable) child, kind));
      }
    }
    return found;
  }

  /** All pieces but stacks and decks, by basic name, then id. */
  static List<GamePiece> pieces() {
    final List<GamePiece> list = new ArrayList<>();
    for (GamePiece p : state().getAllPieces()) {
      if (!(p instanceof Stack)) {
        list.add(p);
      }
    }
    list.sort(Comparator.comparing(Table::basicName).thenComparing(GamePiece::getId));
    return list;
  }

  static String basicName(GamePiece p) {
    return Decorator.getInnermost(p).getName();
  }

  /** The gpid of the slot a piece came from. */
  static String gpid(GamePiece p) {
    final Object id = p.getProperty(Properties.PIECE_ID);
    return id == null ? "" : id.toString();
  }

  static String location(GamePiece p) {
    return p.getMap() == null ? null : p.getMap().locationName(p.getPosition());
  }

  static java.util.Map<String, Object> describe(GamePiece p, List<String> properties) {
    final java.util.Map<String, Object> object = Json.of(
      "id", p.getId(), "basic", basicName(p), "name", p.getName(), "gpid", gpid(p),
      "map", p.getMap() == null ? null : p.getMap().getMapName(),
      "x", p.getPosition().x, "y", p.getPosition().y, "location", location(p));
    final Stack stack = p.getParent();
    if (stack != null) {
      object.put("stack", stack.getId());
      object.put("deck", stack instanceof Deck ? ((Deck) stack).getDeckName() : null);
      object.put("index", stack.indexOf(p));
      object.put("of", stack.getPieceCount());
    }
    addTraits(p, object);
    final java.util.Map<String, Object> values = new LinkedHashMap<>();
    for (String name : properties) {
      final Object value = p.getProperty(name);
      values.put(name, value == null ? null : value.toString());
    }
    object.put("properties", values);
    return object;
  }

  private static void addTraits(GamePiece p, java.util.Map<String, Object> object) {
    final java.util.Map<String, Object> layers = new LinkedHashMap<>();
    final java.util.Map<String, Object> dynamic = new LinkedHashMap<>();
    for (GamePiece q = p; q instanceof Decorator; q = ((Decorator) q).getInner()) {
      if (q instanceof Embellishment) {
        // Level 0 = switched off; a piece may have several unnamed layers.
        final Embellishment layer = (Embellishment) q;
        String name = layer.getLayerName() == null ? "" : layer.getLayerName();
        while (layers.containsKey(name)) {
          name += "'";
        }
        layers.put(name, layer.isActive() ? layer.getValue() + 1 : 0);
      }
      else if (q instanceof FreeRotator) {
        object.put("angle", ((FreeRotator) q).getAngle());
      }
      else if (q instanceof MovementMarkable) {
        object.put("moved", ((MovementMarkable) q).isMoved());
      }
      else if (q instanceof Obscurable) {
        object.put("obscured", ((Obscurable) q).obscuredToMe());
      }
      else if (q instanceof Hideable) {
        object.put("hidden", ((Hideable) q).invisibleToMe());
      }
      else if (q instanceof DynamicProperty) {
        dynamic.put(((DynamicProperty) q).getKey(), ((DynamicProperty) q).getValue());
      }
    }
    object.put("layers", layers);
    object.put("dynamic", dynamic);
  }

  static java.util.Map<String, java.util.Map<String, Object>> snapshot() {
    final java.util.Map<String, java.util.Map<String, Object>> all = new LinkedHashMap<>();
    for (GamePiece p : pieces()) {
      all.put(p.getId(), describe(p, List.of()));
    }
    return all;
  }

  /** What a command did to the pieces: created, removed, and changed with before and after. */
  static java.util.Map<String, Object> changes(
      java.util.Map<String, java.util.Map<String, Object>> before,
      java.util.Map<String, java.util.Map<String, Object>> after) {
    final List<Object> created = new ArrayList<>();
    final List<Object> removed = new ArrayList<>();
    final List<Object> changed = new ArrayList<>();
    before.forEach((id, piece) -> {
      if (!after.containsKey(id)) {
        removed.add(piece);
      }
    });
    after.forEach((id, piece) -> {
      if (!before.containsKey(id)) {
        created.add(piece);
      }
      else if (!piece.equals(before.get(id))) {
        changed.add(Json.of("before", before.get(id), "after", piece));
      }
    });
    return Json.of("created", created, "removed", removed, "changed", changed);
  }

  /**
   * A piece by id, {@code gpid:N}, basic name, or current name, in this order; {@code at:PLACE} is
   * the first one in a hex, box or deck, or on a map of that name.
   */
  static GamePiece piece(String wanted) {
    final List<GamePiece> all = pieces();
    if (wanted.startsWith("at:")) {
      final String place = wanted.substring("at:".length());
      for (GamePiece p : all) {
        if (place.equals(location(p)) || p.getMap() != null && place.equals(p.getMap().getMapName())) {
          return p;
        }
      }
    }
    for (GamePiece p : all) {
      if (p.getId().equals(wanted) || wanted.equals("gpid:" + gpid(p))) {
        return p;
      }
    }
    for (GamePiece p : all) {
      if (basicName(p).equals(wanted) || p.getName().equals(wanted)) {
        return p;
      }
    }
    throw new IllegalArgumentException("no piece " + wanted);
  }

  static Deck deck(String name) {
    for (GamePiece p : state().getAllPieces()) {
      if (p instanceof Deck && name.equals(((Deck) p).getDeckName())) {
        return (Deck) p;
      }
    }
    throw new IllegalArgumentException("no deck " + name);
  }

  /** A map by name; null = the first. */
  static Map map(String name) {
    for (Map m : Map.getMapList()) {
      if (name == null || name.equals(m.getMapName())) {
        return m;
      }
    }
    throw new IllegalArgumentException("no map " + name);
  }

  /** {@code x,y}, a location name, or either after {@code MAP@}. Boards are tried in order. */
  static Place place(String text) {
    final int at = text.lastIndexOf('@');
    final String mapName = at < 0 ? null : text.substring(0, at);
    final String rest = text.substring(at + 1);
    if (rest.matches("-?\\d+,-?\\d+")) {
      final String[] xy = rest.split(",");
      return new Place(map(mapName), new Point(Integer.parseInt(xy[0]), Integer.parseInt(xy[1])));
    }
    for (Map m : Map.getMapList()) {
      if (mapName == null || mapName.equals(m.getMapName())) {
        final Point p = locate(m, rest);
        if (p != null) {
          return new Place(m, p);
        }
      }
    }
    throw new IllegalArgumentException("no location " + text);
  }

  /** VASSAL's own lookup of a location name on one map, or null. */
  static Point locate(Map m, String name) {
    for (Board b : m.getBoards()) {
      if (b.getGrid() == null) {
        continue;
      }
      try {
        final Point p = b.getGrid().getLocation(name);
        if (p != null) {
          p.translate(b.bounds().x, b.bounds().y);
          return p;
        }
      }
      catch (VASSAL.build.module.map.boardPicker.board.MapGrid.BadCoords e) {
        continue;      // not a name of this board
      }
    }
    return null;
  }
}
