package lottery.award;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.InstantSource;
import java.util.Objects;
import lottery.EndpointCommandSender;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.ClaimAward;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardCommand.VoidAward;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposedAction;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets winners claim awards over REST, and lets fulfilment systems without Kafka answer invoices. */
@RestController
@Tag(name = "Award", description = "Claims of winners, and answers of fulfilment systems without Kafka.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class AwardRecordEndpoint {

    private static final String RECORD = "/api/v1/award-records/{awardRecordId}";

    /** Excludes control characters, because people read the text, and programs break lines at such characters. */
    private static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    /** An award record and its state after the request. */
    record AwardRecordReply(AwardRecordId awardRecordId, AwardState state) {}

    /** The result of an invoice. */
    enum FulfilmentResult {
        GRANTED,
        REJECTED
    }

    /** @param reason why the award was rejected, as a text for people */
    record FulfilmentRequest(
            @NotNull FulfilmentResult result,

            @NotBlank @Pattern(regexp = TEXT) @Size(max = 200)
            String reference,

            @Nullable @Pattern(regexp = TEXT) @Size(max = 1_000)
            String reason) {

        AwardCommand command(AwardRecordId id) {
            return switch (result) {
                case GRANTED -> new GrantAward(id, reference);
                case REJECTED ->
                    new RejectGrant(id, reference, Objects.requireNonNullElse(reason, "no reason was given"));
            };
        }
    }

    record ClaimRequest(
            @NotBlank @Pattern(regexp = TEXT) @Size(max = 100)
            String name,

            @NotBlank @Pattern(regexp = TEXT) @Size(max = 40)
            String phone,

            @NotBlank @Pattern(regexp = TEXT) @Size(max = 300)
            String address,

            @Nullable @Pattern(regexp = TEXT) @Size(max = 20)
            String postalCode,

            @Nullable @Pattern(regexp = TEXT) @Size(max = 200)
            String note) {

        Address to() {
            return new Address(name, phone, address, postalCode, note);
        }
    }

    private final EndpointCommandSender commands;
    private final EventStore events;
    private final InstantSource clock;

    AwardRecordEndpoint(EndpointCommandSender commands, EventStore events, InstantSource clock) {
        this.commands = commands;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Takes an answer to an invoice. Only the first answer counts. A later one changes nothing, and its sender gets the
     * state.
     */
    @Operation(summary = "Say whether an award was handed over", description = """
                    Takes the answer of a fulfilment system that does not use Kafka: GRANTED or REJECTED, with the
                    system's own reference. The first answer counts. A later one changes nothing and returns the state
                    of the award. An answer before the award's time, release or address is refused with AWARD_STATE. A
                    system can answer only for its own types of awards.""")
    @PostMapping(RECORD + "/fulfilments")
    AwardRecordReply answerFulfilment(
            @PathVariable AwardRecordId awardRecordId, @Valid @RequestBody FulfilmentRequest fulfilment) {
        return send(fulfilment.command(awardRecordId));
    }

    @Operation(summary = "Say where to send an award", description = """
                    Stores the winner's address for a PHYSICAL award and returns the new state. The same address again
                    changes nothing. A different address is refused with AWARD_STATE, and so is a claim of an award that
                    is not sent.""")
    @PostMapping(RECORD + "/claim")
    AwardRecordReply claimAward(@PathVariable AwardRecordId awardRecordId, @Valid @RequestBody ClaimRequest claim) {
        return send(new ClaimAward(awardRecordId, claim.to()));
    }

    /** @param reason why the winner does not get the award, as a text for people */
    record VoidRequest(
            @NotBlank @Pattern(regexp = TEXT) @Size(max = 1_000)
            String reason) {}

    @Operation(summary = "Take an award from its winner", description = """
                    Takes an award away from its winner. Two persons are needed, so this request is a proposal and
                    returns 202. When another person of the desk agrees, the award becomes VOIDED. If the award is
                    granted, or is on its way, the request is refused with AWARD_STATE. If the award is VOIDED already,
                    the response is 200. An award at the desk may have been sent although fulfilment has not answered:
                    ask before. In an activity that is drawn at one time, the next reserve moves up.""")
    @MayNeedSecondPerson
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = AwardRecordReply.class)))
    @PostMapping(RECORD + "/void")
    ResponseEntity<?> voidAward(@PathVariable AwardRecordId awardRecordId, @Valid @RequestBody VoidRequest taken) {
        AwardProgress award = EventStreams.<AwardProgress, AwardEvent>fold(
                        events, awardRecordId.text(), AwardProgress::after)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, awardRecordId.text()));
        if (award.state() == AwardState.VOIDED) {
            return ResponseEntity.ok(send(new VoidAward(awardRecordId, taken.reason()))); // It changes nothing.
        }
        if (!award.canBeVoided(clock.instant())) {
            throw new RefusedException(Refusal.AWARD_STATE, "%s (%s)".formatted(awardRecordId, award.state()));
        }
        ProposedAction action =
                ProposedAction.voiding(awardRecordId, award.won().userId());
        return ResponseEntity.accepted()
                .body(commands.send(new ProposeAction(action, taken.reason())).orThrow());
    }

    private AwardRecordReply send(AwardCommand command) {
        return new AwardRecordReply(
                command.awardRecordId(), commands.send(command).orThrow());
    }
}
