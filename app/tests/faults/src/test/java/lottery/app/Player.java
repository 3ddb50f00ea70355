package lottery.app;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import lottery.app.Players.PlayerBelongings;

/** One user at one device. It does anything that a user can do. */
final class Player {

    /** The SKU that costs credits. */
    private static final int FOR_CREDITS = 3;

    private static final int FOR_MONEY = 4;

    /** How a provider may behave. */
    private static final List<String> WISHES = List.of(
            "{}",
            "{}",
            "{\"callbacks\": 0}",
            "{\"callbacks\": 0, \"silentSeconds\": 15}",
            "{\"callbacks\": 20}",
            "{\"times\": 2}",
            "{\"times\": 3, \"callbacks\": 3, \"silentSeconds\": 5}",
            "{\"amount\": \"0.01\"}",
            "{\"amount\": \"9999\", \"refusesRefunds\": true}",
            "{\"times\": 2, \"refusesRefunds\": true}",
            "{\"afterSeconds\": 10}");

    private final String user;
    private final PlayerBelongings own;
    private final Random choices;
    private final AnswerLedger ledger;
    private final QueuedRequests queued;
    private final AtomicInteger numbers;
    private final Supplier<PlayedActivities> at;

    /** @param own what the user has, at all devices */
    Player(
            String user,
            PlayerBelongings own,
            long seed,
            AnswerLedger ledger,
            QueuedRequests queued,
            AtomicInteger numbers,
            Supplier<PlayedActivities> at) {
        this.user = user;
        this.own = own;
        this.choices = new Random(seed);
        this.ledger = ledger;
        this.queued = queued;
        this.numbers = numbers;
        this.at = at;
    }

    void act() {
        switch (choices.nextInt(26)) {
            case 0 -> recharge(1, "");
            case 1 -> recharge(2, "");
            case 2 -> recharge(1 + choices.nextInt(2), ", \"payLater\": true");
            case 3 -> complete();
            case 4, 5 -> partake();
            case 6 -> draw("");
            case 7 -> draw("{\"count\": %d}".formatted(1 + choices.nextInt(5)));
            case 8 -> order("/draw");
            case 9 -> order("/cancellation");
            case 10, 11 -> book();
            case 12 -> rechargeForCredits();
            case 13, 14, 15 -> queue();
            case 16, 17 -> enter();
            case 18 -> report();
            case 19 -> signIn();
            case 20 -> readCode();
            case 21 -> claim();
            case 22, 23 -> pay();
            default -> ledger.any(choices).ifPresent(this::ask);
        }
    }

    private String key() {
        return choices.nextInt(4) == 0 ? "" : nextKey();
    }

    private String nextKey() {
        return "key-" + numbers.incrementAndGet();
    }

    private String number() {
        return at.get().atOnce().id() + "-" + numbers.incrementAndGet();
    }

    private Reply ask(RepeatableRequest request, String... refusals) {
        return ledger.ask(at.get().lottery(), request, refusals);
    }

    private Reply askAccount(String what, String body, String key) {
        Reply reply = ask(RepeatableRequest.keyed(at.get().atOnce().account(user) + what, body, key));
        if (reply.status() < 300) {
            reply.json().findValues("awardRecordId").forEach(won -> own.wins().add(won.asString()));
        }
        return reply;
    }

    void rechargeForCredits() {
        if (recharge(FOR_CREDITS, "").status() == 201) {
            own.bought().increment();
        }
    }

    private Reply recharge(int sku, String more) {
        Reply reply = ask(RepeatableRequest.numbered(
                at.get().atOnce().account(user) + "/recharges",
                "{\"sku\": %d, \"outBusinessNo\": \"%s\"%s}".formatted(sku, number(), more)));
        if (reply.status() == 201 && !more.isEmpty()) {
            own.recharges().add(reply.json().get("rechargeId").asString());
        }
        return reply;
    }

    private void complete() {
        String recharge = any(own.recharges());
        if (!recharge.isEmpty()) {
            ask(RepeatableRequest.numbered("/api/v1/recharges/" + recharge + "/completion", ""));
        }
    }

    /** Orders a payment, and mostly pays it, by a provider that behaves in any way. */
    private void pay() {
        Reply ordered = ask(
                RepeatableRequest.changing(
                        at.get().atOnce().account(user) + "/payments",
                        "{\"sku\": %d, \"provider\": \"simulator\", \"outBusinessNo\": \"%s\"}"
                                .formatted(FOR_MONEY, number())),
                "SKU_LIMIT",
                "PAYMENT_WAITS");
        if (ordered.status() == 201 && choices.nextInt(20) > 0) {
            String code = ordered.json().path("code").asString();
            String wish = WISHES.get(choices.nextInt(WISHES.size()));
            Reply paid = at.get().lottery().post(code.substring(code.indexOf("/pay/")), wish);
            if (paid.status() != 200 && paid.status() != 503) {
                ledger.accuse("%s is not paid: %d %s".formatted(code, paid.status(), paid.text()));
            }
        }
    }

    /** Books credits; most bookings spend what was won. */
    private void book() {
        ask(RepeatableRequest.numbered(
                "/api/v1/users/" + user + "/credits/entries",
                "{\"amount\": \"%d.5\", \"businessNo\": \"%s\"}".formatted(choices.nextInt(6) - 4, number())));
    }

    private void partake() {
        Reply reply = askAccount("/raffle-orders", "", key());
        if (reply.status() == 201) {
            own.orders().add(reply.json().get("orderId").asString());
        }
    }

    private void draw(String body) {
        askAccount("/draws", body, key());
    }

    private void order(String what) {
        String order = any(own.orders());
        if (!order.isEmpty()) {
            ask(RepeatableRequest.keyed("/api/v1/raffle-orders/" + order + what, "", key()));
        }
    }

    private void queue() {
        PlayedActivities played = at.get();
        String key = nextKey();
        Reply reply = ledger.noted(played.atOnce().queue(user, key));
        if (reply.status() == 202) {
            queued.accept(this, user, key, reply.json().path("orderId").asString());
        } else if (reply.status() != 503 && !reply.code().equals("ACTIVITY_PAUSED")) {
            ledger.accuse(
                    "a request that may wait, %s of %s: %d %s".formatted(key, user, reply.status(), reply.text()));
        }
    }

    private void enter() {
        Reply reply = ask(RepeatableRequest.keyed(at.get().pooled().account(user) + "/entries", "", nextKey()));
        // With several logs, an entry gets its number later.
        if (reply.status() == 201 && reply.json().has("entryNo")) {
            int number = reply.json().path("entryNo").asInt();
            String order = reply.json().path("orderId").asString();
            String other = own.entries().putIfAbsent(number, order);
            if (other != null) {
                ledger.accuse("%s and %s are both entry %d".formatted(other, order, number));
            }
        }
    }

    private void report() {
        ask(RepeatableRequest.numbered(
                "/api/v1/users/" + user + "/behaviours", """
                {"behaviour": "%s", "outBusinessNo": "%s"}""".formatted(at.get().behaviour(), number())));
    }

    private void signIn() {
        ask(RepeatableRequest.numbered(
                "/api/v1/users/" + user + "/sign-ins", "{\"zone\": \"%s\"}".formatted(TrialActivity.MIDDAY_ZONE)));
    }

    /** Reads the code of something that was won, which may be no code, or have none yet. */
    private void readCode() {
        String won = any(own.wins());
        if (won.isEmpty()) {
            return;
        }
        Reply reply = ask(RepeatableRequest.reading("/api/v1/award-records/" + won + "/code"), "NOT_FOUND");
        if (reply.status() == 200) {
            String code = reply.json().path("code").asString();
            String other = own.codes().putIfAbsent(code, won);
            if (other != null && !other.equals(won)) {
                ledger.accuse("%s and %s have the code %s".formatted(other, won, code));
            }
        }
    }

    /** Says where to send something that was won, which may be nothing that can be sent. */
    private void claim() {
        String won = any(own.wins());
        if (won.isEmpty()) {
            return;
        }
        ask(RepeatableRequest.changing("/api/v1/award-records/" + won + "/claim", """
                        {"name": "Ann", "phone": "+49 30 1234567", "address": "1 High Street", "postalCode": "10115"}"""), "AWARD_STATE", "NOT_FOUND");
    }

    private String any(List<String> known) {
        int size = known.size();
        // Mostly the last one, which may still be open.
        return size == 0 ? "" : known.get(choices.nextBoolean() ? size - 1 : choices.nextInt(size));
    }
}
