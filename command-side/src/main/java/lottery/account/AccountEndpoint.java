package lottery.account;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import lottery.Commands;
import lottery.Reply;
import lottery.activity.Campaigns;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.account.Recharged;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Sku;
import lottery.api.raffle.Drawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.raffle.Draws;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** A user's chances over REST: recharge and draw. */
@RestController
class AccountEndpoint {

    private static final String ACCOUNT = "/api/v1/activities/{activityId}/accounts/{userId}";

    /** Printable ASCII. */
    private static final String KEY = "[\\x20-\\x7e]{1,255}";

    record RechargeForm(
            @NotNull @Positive Long sku,
            @NotBlank @Size(max = 128) String outBusinessNo) {}

    /** How many draws at once; one, until there is more. */
    record DrawForm(@Nullable @Min(1) @Max(1) Integer count) {}

    record Slip(RechargeId rechargeId, Recharged.State state, int total, int month, int day) {

        static Slip of(Recharged recharged) {
            return new Slip(
                    recharged.rechargeId(),
                    recharged.state(),
                    recharged.bundle().total(),
                    recharged.bundle().month(),
                    recharged.bundle().day());
        }
    }

    private final Commands commands;
    private final Campaigns campaigns;
    private final Recharges recharges;
    private final Draws draws;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final MeterRegistry meters;

    AccountEndpoint(
            Commands commands,
            Campaigns campaigns,
            Recharges recharges,
            Draws draws,
            InstantSource clock,
            RandomGenerator random,
            MeterRegistry meters) {
        this.commands = commands;
        this.campaigns = campaigns;
        this.recharges = recharges;
        this.draws = draws;
        this.clock = clock;
        this.random = random;
        this.meters = meters;
    }

    @PostMapping(ACCOUNT + "/recharges")
    ResponseEntity<Slip> recharge(
            @PathVariable ActivityId activityId, @PathVariable UserId userId, @Valid @RequestBody RechargeForm form) {
        AccountId account = new AccountId(activityId, userId);
        RechargeAccount recharge = new RechargeAccount(account, new Sku(form.sku()), form.outBusinessNo());
        return switch (commands.send(recharge)) {
            case Answer.Done<Recharged>(Recharged recharged) -> Reply.created(Slip.of(recharged));
            case Answer.No<Recharged>(Refused refused) ->
                Reply.repeated(
                        Slip.of(earlier(recharge).orElseThrow(() -> new RefusedException(unlessRaced(refused)))));
        };
    }

    /** An account that two nodes begin at once is begun by one of them; the other's recharge is as good as new. */
    private static Refused unlessRaced(Refused refused) {
        return refused.why() == Refusal.KEY_REUSED ? new Refused(Refusal.BUSY, refused.subject()) : refused;
    }

    /** Whatever the reason to refuse it now: a recharge that was made is answered as it was then. */
    private Optional<Recharged> earlier(RechargeAccount recharge) {
        Optional<Recharged> earlier = recharges.find(recharge.rechargeId());
        earlier.ifPresent(made -> {
            if (!made.accountId().equals(recharge.accountId()) || !made.sku().equals(recharge.sku())) {
                throw new RefusedException(Refusal.KEY_REUSED, recharge.outBusinessNo());
            }
        });
        return earlier;
    }

    @PostMapping(ACCOUNT + "/draws")
    ResponseEntity<Drawn> draw(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable @Pattern(regexp = KEY) String key,
            @Valid @RequestBody(required = false) @Nullable DrawForm form) {
        AccountId account = new AccountId(activityId, userId);
        RaffleOrderId order = key == null
                ? RaffleOrderId.fresh(account, clock.instant(), random)
                : RaffleOrderId.derived(account, key);
        return switch (commands.send(new Draw(account, order))) {
            case Answer.Done<Drawn>(Drawn drawn) -> {
                counted(account, drawn);
                yield Reply.created(drawn);
            }
            // Whatever the reason to refuse it now: a draw that was made with this key is answered as it was then.
            case Answer.No<Drawn>(Refused refused) ->
                Reply.repeated(draws.find(order).orElseThrow(() -> new RefusedException(inWords(refused, account))));
        };
    }

    private void counted(AccountId account, Drawn drawn) {
        meters.counter(
                        "lottery.draws",
                        "activity",
                        Long.toString(account.activityId().value()),
                        "outcome",
                        drawn.outcome().name())
                .increment();
    }

    /** Who has no account has no chances. */
    private Refused inWords(Refused refused, AccountId account) {
        if (refused.why() != Refusal.NOT_FOUND) {
            return refused;
        }
        return switch (campaigns.find(account.activityId()).then(campaign -> campaign.openAt(clock.instant()))) {
            case Answer.Done<?> _ -> new Refused(Refusal.QUOTA_TOTAL, account.text());
            case Answer.No<?>(Refused why) -> why;
        };
    }
}
