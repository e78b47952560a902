package hexwright.engine;

import VASSAL.build.module.GameRefresher;
import VASSAL.command.Command;
import VASSAL.command.NullCommand;
import VASSAL.counters.GamePiece;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tools > Refresh Counters: brings the pieces of an older game up to date with the module. */
final class Refresh {
  private Refresh() { }

  /**
   * Runs VASSAL's refresher without its dialog, as a test or in earnest, by gpid alone (the dialog's
   * boxes "use names" are off). Answers its own counts, and pieces as VASSAL would meet them.
   */
  static Object run(boolean test) throws Exception {
    final List<String> absent = new ArrayList<>();
    for (GamePiece piece : Table.pieces()) {
      if (!hasSlot(piece)) {
        absent.add(Table.basicName(piece));
      }
    }
    final GameRefresher refresher = new GameRefresher(Table.module());
    final Set<String> options = new HashSet<>(test ? Set.of("TestMode") : Set.of());
    final Command command = new NullCommand();
    refresher.execute(options, command);
    if (!test) {
      Table.module().sendAndLog(command);
    }
    return Json.of("updated", Inside.get(refresher, "updatedCount"),
      "notFound", Inside.get(refresher, "notFoundCount"),
      "noMap", Inside.get(refresher, "noMapCount"),
      "noStack", Inside.get(refresher, "noStackCount"),
      "absent", absent, "pieces", Table.pieces().size());
  }

  private static boolean hasSlot(GamePiece piece) {
    try {
      Hands.slot(Table.gpid(piece));
      return true;
    }
    catch (IllegalArgumentException e) {
      return false;
    }
  }
}
