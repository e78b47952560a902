package hexwright.engine;

import VASSAL.build.AbstractBuildable;
import VASSAL.build.Buildable;
import VASSAL.build.Configurable;
import VASSAL.build.module.properties.GlobalProperty;
import VASSAL.build.module.properties.MutableProperty;
import VASSAL.build.module.turn.TurnTracker;
import VASSAL.counters.GamePiece;
import VASSAL.counters.Stack;
import java.io.File;
import java.util.LinkedHashMap;
import java.util.TreeMap;

/** Saves the game, loads it again, and compares everything that can be compared. */
final class SaveLoad {
  private SaveLoad() { }

  static java.util.Map<String, Object> run(File file) throws Exception {
    final java.util.Map<String, String> before = Edt.call(SaveLoad::everything);
    Games.save(file);
    final java.util.Map<String, Object> loaded = Games.load(file);
    final java.util.Map<String, String> after = Edt.call(SaveLoad::everything);
    int differences = 0;
    for (String key : before.keySet()) {
      if (!before.get(key).equals(after.get(key))) {
        ++differences;
        Report.problem("saveload", key + ": saved " + Report.visible(before.get(key))
          + ", loaded " + (after.get(key) == null ? "nothing" : Report.visible(after.get(key))));
      }
    }
    for (String key : after.keySet()) {
      if (!before.containsKey(key)) {
        ++differences;
        Report.problem("saveload", key + ": not saved, loaded " + Report.visible(after.get(key)));
      }
    }
    loaded.put("compared", before.size());
    loaded.put("differences", differences);
    return loaded;
  }

  /** Types, states and places of all pieces, stacks and decks; properties; turns. */
  private static java.util.Map<String, String> everything() throws ReflectiveOperationException {
    final java.util.Map<String, String> all = new TreeMap<>();
    for (GamePiece p : Table.state().getAllPieces()) {
      if (p instanceof Stack && ((Stack) p).getPieceCount() == 0 && p.getMap() == null) {
        continue;      // emptied stacks stay registered, but are not saved
      }
      final String who = "piece " + p.getId() + " " + p.getName() + " ";
      all.put(who + "type", p.getType());
      all.put(who + "state", p.getState());
      all.put(who + "place", Table.location(p) + " " + p.getPosition().x + "," + p.getPosition().y);
    }
    final java.util.Map<String, Integer> unnamed = new LinkedHashMap<>();
    for (GlobalProperty g : Table.components(GlobalProperty.class)) {
      final String key = "property " + owner(g) + "." + g.getConfigureName();
      final int copy = unnamed.merge(key, 1, Integer::sum);
      final MutableProperty property = (MutableProperty) Inside.get(g, "property");
      final String value = String.valueOf(property.getPropertyValue());
      all.put(key + (copy > 1 ? "#" + copy : ""), value);
    }
    for (TurnTracker t : Table.components(TurnTracker.class)) {
      all.put("turn " + t.getConfigureName(), String.valueOf(Inside.call(t, "getTurnString")));
    }
    return all;
  }

  /** The named component a property belongs to: a map, a zone, or the module. */
  private static String owner(GlobalProperty property) {
    Buildable b = property.getAncestor();
    while (b instanceof AbstractBuildable) {
      if (b instanceof Configurable && ((Configurable) b).getConfigureName() != null) {
        return ((Configurable) b).getConfigureName();
      }
      b = ((AbstractBuildable) b).getAncestor();
    }
    return "";
  }
}
