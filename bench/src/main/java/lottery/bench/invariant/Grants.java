package lottery.bench.invariant;

import java.util.LinkedHashMap;
import java.util.Map;

/** I6: what was drawn is won, and what is won is granted or rejected, once. At rest nothing is still under way. */
final class Grants implements Invariant {

    private static final class Win {

        private final String award;
        private final long position;
        private String answer = "";

        private Win(String award, long position) {
            this.award = award;
            this.position = position;
        }
    }

    private final Tally tally = new Tally();
    private final Map<String, Win> wins = new LinkedHashMap<>();

    /** Draws with an award that nobody has seen being won yet. */
    private final Map<String, Long> drawn = new LinkedHashMap<>();

    @Override
    public void see(Event event) {
        switch (event.name()) {
            case "raffle.drawn" -> {
                if (event.payload().has("award")) {
                    drawn.put(event.payload().text("orderId"), event.position());
                }
            }
            case "award.won" -> {
                tally.checked();
                String award = event.payload().text("awardRecordId");
                wins.putIfAbsent(award, new Win(award, event.position()));
                drawn.remove("order:" + Event.key(award));
            }
            case "award.granted" -> answered(event, "granted");
            case "award.grant-rejected" -> answered(event, "rejected");
            default -> {
                // No answer.
            }
        }
    }

    /** An answer to what was never won is the business of I7. */
    private void answered(Event event, String answer) {
        Win win = wins.get(event.payload().text("awardRecordId"));
        if (win == null) {
            return;
        }
        if (win.answer.isEmpty()) {
            win.answer = answer + " at event " + event.position();
        } else {
            tally.violated("%s is %s and %s at event %d".formatted(win.award, win.answer, answer, event.position()));
        }
    }

    @Override
    public Verdict verdict(Moment moment) {
        drawn.forEach((order, position) ->
                tally.violated("%s drew an award at event %d that nobody won".formatted(order, position)));
        long inFlight = 0;
        for (Win win : wins.values()) {
            if (win.answer.isEmpty()) {
                inFlight++;
                if (moment == Moment.AT_REST) {
                    tally.violated("%s is won at event %d and neither granted nor rejected"
                            .formatted(win.award, win.position));
                }
            }
        }
        return tally.verdict(
                "I6",
                "every win is granted or rejected, once",
                moment == Moment.IN_FLIGHT ? inFlight + " in flight" : "");
    }
}
