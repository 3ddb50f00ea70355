package lottery.proof;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.StrategyId;
import lottery.proof.DrawEvidenceReader.DrawRules;
import lottery.rule.CompiledStrategy;
import lottery.rule.DrawDecision;
import lottery.rule.DrawReason;
import lottery.rule.DrawSituation;
import lottery.store.trace.Actor;
import lottery.strategy.StrategyCache;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import tools.jackson.databind.json.JsonMapper;

/** Proves draws over REST: the outcome of a draw, its reasons, and whether it is correct. */
@RestController
@Tag(name = "Proof", description = "Proof that the result of each draw follows from its inputs.")
class ProofEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(ProofEndpoint.class);

    private static final String ORDER = "/api/v1/raffle-orders/{orderId}";
    private static final String ACTIVITY = "/api/v1/activities/{activityId}";

    /**
     * The inputs of a draw.
     *
     * @param strategyHash the hash of the version that the round has committed to; null if the round has not committed
     * @param commitment the commitment to the seed, from the start of the round; null if the round does not exist
     * @param roundCommitment the commitment that binds the version to the round; null if there is no such commitment
     * @param seed the seed of the round; null while it is secret
     */
    record DrawInputs(
            UserId userId,
            StrategyId strategyId,
            int strategyVersion,
            @Nullable String strategyHash,
            int round,
            @Nullable String commitment,
            @Nullable String roundCommitment,
            @Nullable String seed,
            int drawsBefore,
            int drawsBeforeToday,
            List<Integer> soldOut,
            @Nullable List<Integer> reached,
            @Nullable List<Integer> held,
            @Nullable List<Integer> overBudget,
            String ticket) {}

    record DrawOutcome(Outcome outcome, @Nullable Prize award) {}

    record RecomputedTicket(String ticket, boolean agrees) {}

    record DrawProof(
            RaffleOrderId orderId,
            ActivityId activityId,
            DrawInputs inputs,
            DrawOutcome recorded,
            @Nullable DrawOutcome recomputed,
            @Nullable RecomputedTicket ticketFromSeed,
            boolean agrees,
            List<Difference> differences,
            List<String> why,
            String howToRecompute) {}

    private final DrawEvidenceReader evidence;
    private final StrategyCache strategies;
    private final ActivityDrawsVerifier verification;
    private final DrawExport export;
    private final DrawReasonTexts words;
    private final JsonMapper json;

    ProofEndpoint(
            DrawEvidenceReader evidence,
            StrategyCache strategies,
            ActivityDrawsVerifier verification,
            DrawExport export,
            DrawReasonTexts words,
            JsonMapper json) {
        this.evidence = evidence;
        this.strategies = strategies;
        this.verification = verification;
        this.export = export;
        this.words = words;
        this.json = json;
    }

    @Operation(summary = "Show why a draw has its outcome", description = """
                    Returns the inputs of the draw, the result of deciding it again now, and the reasons in words. The
                    words are in the language of `Accept-Language`. The seed of the round is included after it is
                    published.""")
    @GetMapping(ORDER + "/proof")
    DrawProof getProof(@PathVariable RaffleOrderId orderId, Locale locale) {
        RaffleDrawn drawn = draw(orderId);
        DrawVerifier verifier = evidence.grounds(drawn, strategies)
                .map(DrawRules::verifier)
                .orElseThrow(() -> new IllegalStateException("a draw belongs to an activity"));
        List<Difference> differences = verifier.differences(drawn);
        return new DrawProof(
                orderId,
                drawn.activityId(),
                inputs(drawn, verifier.roundCommitment(drawn.round())),
                new DrawOutcome(drawn.outcome(), drawn.award()),
                recomputed(verifier.decision(drawn)),
                ticketFromSeed(verifier.ticketFromSeed(drawn), drawn),
                differences.isEmpty(),
                differences,
                why(drawn, verifier, locale),
                words.howToRecompute(locale));
    }

    private RaffleDrawn draw(RaffleOrderId orderId) {
        return evidence.draw(orderId)
                .filter(drawn -> Actor.mayAccessDataOf(drawn.userId().value()))
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, orderId.text()));
    }

    private static DrawInputs inputs(RaffleDrawn drawn, @Nullable RoundCommitment roundCommitment) {
        CommittedStrategy strategy = roundCommitment == null ? null : roundCommitment.strategy(drawn.strategyVersion());
        return new DrawInputs(
                drawn.userId(),
                drawn.strategyId(),
                drawn.strategyVersion(),
                strategy == null ? null : strategy.strategyHash(),
                drawn.round(),
                roundCommitment == null ? null : roundCommitment.commitment(),
                strategy == null ? null : strategy.roundCommitment(),
                roundCommitment == null ? null : roundCommitment.seed(),
                drawn.drawsBefore(),
                drawn.drawsBeforeToday(),
                drawn.soldOut(),
                drawn.reached(),
                drawn.held(),
                drawn.overBudget(),
                drawn.ticket());
    }

    private static @Nullable DrawOutcome recomputed(@Nullable DrawDecision decision) {
        return decision == null ? null : new DrawOutcome(decision.outcome(), DrawVerifier.prize(decision));
    }

    private static @Nullable RecomputedTicket ticketFromSeed(@Nullable String ticket, RaffleDrawn drawn) {
        return ticket == null ? null : new RecomputedTicket(ticket, ticket.equals(drawn.ticket()));
    }

    private List<String> why(RaffleDrawn drawn, DrawVerifier verifier, Locale locale) {
        CompiledStrategy rules = verifier.rules(drawn);
        if (rules == null) {
            return List.of();
        }
        List<DrawReason> reasons = verifier.reasons(drawn);
        DrawSituation situation =
                new DrawSituation(drawn.userId(), drawn.drawsBefore(), drawn.drawsBeforeToday(), drawn.unavailable());
        return words.why(reasons, rules.definition(), situation, locale);
    }

    @Operation(summary = "Verify all draws of an activity", description = """
                    Decides every draw again from the event log. It returns how many draws agree, and the first 100 that
                    differ. It changes nothing. With `Accept: text/event-stream`, the response reports the progress each
                    second, and the result at the end. One verification runs at a time, for at most five minutes;
                    `complete` says whether it reached the last draw. Further ones are refused with BUSY.""")
    @PostMapping(ACTIVITY + "/verifications")
    ActivityDrawsVerifier.VerificationResult verifyDraws(@PathVariable ActivityId activityId) throws IOException {
        return verification.verify(activityId, progress -> {});
    }

    /**
     * Verifies all draws, and sends the progress each second. The progress is for observers, and it keeps proxies from
     * cutting a silent connection.
     */
    @PostMapping(path = ACTIVITY + "/verifications", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void watch(@PathVariable ActivityId activityId, HttpServletResponse response) throws IOException {
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8);
        OutputStream out = response.getOutputStream();
        try {
            ActivityDrawsVerifier.VerificationResult result = verification.verify(
                    activityId, progress -> tell(out, "progress", json.writeValueAsString(progress)));
            tell(out, "result", json.writeValueAsString(result));
        } catch (IOException | RuntimeException e) {
            if (!response.isCommitted()) {
                throw e;
            }
            cutOff(activityId, e);
        }
    }

    /**
     * Logs that an answer was cut off by a failure. A problem document cannot be sent any more, because the answer has
     * begun. The reader sees the failure by the missing end of the answer.
     */
    private static void cutOff(ActivityId activityId, Exception failure) {
        LOG.warn(
                "An export or verification of {} ended early: {}. The caller got an incomplete answer and can ask again.",
                activityId,
                failure.toString());
    }

    private static void tell(OutputStream out, String event, String data) throws IOException {
        out.write("event: %s\ndata: %s\n\n".formatted(event, data).getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Operation(summary = "Export all draws as lines of JSON", description = """
                    Returns one line of JSON for each draw, with everything that is needed to verify it: `java -jar
                    lottery.jar verify` reads the file. The last line contains the number of draws; a response that was
                    cut off does not have this line. Two exports can run at a time, for at most 30 minutes each; further
                    ones are refused with BUSY.""")
    @GetMapping(path = ACTIVITY + "/draws/export", produces = MediaType.APPLICATION_NDJSON_VALUE)
    void exportDraws(@PathVariable ActivityId activityId, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        // Without this call the ETag filter of the query side would keep the whole export in memory.
        ShallowEtagHeaderFilter.disableContentCaching(request);
        try (DrawExport.ExportPermit _ = export.enter(activityId)) {
            send(activityId, export.of(activityId), response);
        }
    }

    private static void send(ActivityId activityId, DrawExport.PreparedExport ready, HttpServletResponse response)
            throws IOException {
        response.setContentType(MediaType.APPLICATION_NDJSON_VALUE);
        response.setHeader(
                "Content-Disposition", "attachment; filename=\"draws-%d.ndjson\"".formatted(activityId.value()));
        try {
            ready.writeTo(response.getOutputStream());
        } catch (IOException | RuntimeException e) {
            if (!response.isCommitted()) {
                throw e;
            }
            cutOff(activityId, e);
        }
    }
}
