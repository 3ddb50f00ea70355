package lottery.bench.invariant;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * I7: no draw without a spent chance that was not given back before, no win without such a draw, no grant without a
 * win.
 */
final class Wins implements Invariant {

    private static final String NO_AWARD = "no award";

    /**
     * A draw or a win.
     *
     * @param account whose it is
     * @param award what it gave, in words
     */
    private record Fact(long position, String account, String award) {}

    private final Tally tally = new Tally();

    /** By the key that a draw and its award have in common. */
    private final Map<String, String> spenders = new HashMap<>();

    /** By the same key: chances that came back before anything was drawn for them. */
    private final Map<String, Long> returned = new HashMap<>();

    private final Map<String, Fact> draws = new LinkedHashMap<>();
    private final Map<String, Fact> wins = new LinkedHashMap<>();

    @Override
    public void see(Event event) {
        Document payload = event.payload();
        switch (event.name()) {
            case "account.chance-spent" -> spenders.put(Event.key(payload.text("orderId")), Account.key(payload));
            case "account.chance-returned" -> {
                String key = Event.key(payload.text("orderId"));
                if (!draws.containsKey(key)) {
                    returned.put(key, event.position());
                }
            }
            case "raffle.drawn" -> {
                tally.checked();
                draws.put(Event.key(payload.text("orderId")), fact(event));
            }
            case "award.won" -> {
                tally.checked();
                Fact before = wins.putIfAbsent(Event.key(payload.text("awardRecordId")), fact(event));
                if (before != null) {
                    tally.violated("%s is won at event %d and again at event %d"
                            .formatted(payload.text("awardRecordId"), before.position(), event.position()));
                }
            }
            case "award.dispatched", "award.granted", "award.grant-rejected" -> {
                tally.checked();
                String award = payload.text("awardRecordId");
                if (!wins.containsKey(Event.key(award))) {
                    tally.violated("%s has %s at event %d and was not won before"
                            .formatted(award, event.name(), event.position()));
                }
            }
            default -> {
                // Nothing is given or taken.
            }
        }
    }

    private static Fact fact(Event event) {
        Document payload = event.payload();
        String award = payload.has("award") ? "award " + payload.in("award").number("awardId") : NO_AWARD;
        return new Fact(event.position(), Account.key(payload), award);
    }

    @Override
    public Verdict verdict(Moment moment) {
        draws.forEach(this::requireChance);
        wins.forEach(this::requireDraw);
        return tally.verdict("I7", "no win without a spent chance, no grant without a win");
    }

    private void requireChance(String key, Fact draw) {
        String spender = spenders.get(key);
        if (spender == null) {
            tally.violated(
                    "order:%s is drawn at event %d and no chance was spent for it".formatted(key, draw.position()));
        } else if (!spender.equals(draw.account())) {
            tally.violated("order:%s is drawn for %s at event %d and the chance is one of %s"
                    .formatted(key, draw.account(), draw.position(), spender));
        } else if (returned.containsKey(key)) {
            tally.violated("order:%s is drawn at event %d and its chance had been given back at event %d"
                    .formatted(key, draw.position(), returned.get(key)));
        }
    }

    private void requireDraw(String key, Fact win) {
        Fact draw = draws.get(key);
        if (draw == null) {
            tally.violated("award:%s is won at event %d and nothing was drawn for it".formatted(key, win.position()));
        } else if (!draw.award().equals(win.award()) || !draw.account().equals(win.account())) {
            tally.violated("award:%s is won as %s by %s at event %d and its draw gave %s to %s"
                    .formatted(key, win.award(), win.account(), win.position(), draw.award(), draw.account()));
        }
    }
}
