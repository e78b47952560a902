package hexwright.engine;

import VASSAL.build.module.Map;
import java.awt.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks VASSAL for many names and points at once. */
final class Locations {
  private static final Pattern INTEGER = Pattern.compile("-?\\d+");

  private Locations() { }

  /**
   * For every point of a file (any text whose integers come in pairs, such as JSON lists): {@code
   * [x, y, name, snapped x, snapped y, name there]}, in map pixels.
   */
  static List<Object> names(Map map, Path file) throws IOException {
    final List<Object> rows = new ArrayList<>();
    final Matcher numbers = INTEGER.matcher(Files.readString(file));
    while (numbers.find()) {
      final int x = Integer.parseInt(numbers.group());
      if (!numbers.find()) {
        throw new IllegalArgumentException("odd number of coordinates in " + file);
      }
      final int y = Integer.parseInt(numbers.group());
      final Point snapped = map.snapTo(new Point(x, y));
      rows.add(Arrays.asList(x, y, map.locationName(new Point(x, y)),
        snapped.x, snapped.y, map.locationName(snapped)));
    }
    return rows;
  }

  /** For every line of a file, a location name: {@code [name, x, y]}, or {@code [name, null, null]}. */
  static List<Object> points(Map map, Path file) throws IOException {
    final List<Object> rows = new ArrayList<>();
    for (String name : Files.readAllLines(file)) {
      if (!name.isEmpty()) {
        final Point p = Table.locate(map, name);
        rows.add(Arrays.asList(name, p == null ? null : p.x, p == null ? null : p.y));
      }
    }
    return rows;
  }
}
