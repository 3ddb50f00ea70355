package lottery.person;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.Optional;
import lottery.EndpointCommandSender;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.person.PersonId;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalState;
import lottery.api.proposal.ProposedAction;
import lottery.store.log.LogPosition;
import lottery.store.log.Logs;
import lottery.store.vault.PersonalTexts;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets the desk erase persons over REST. */
@RestController
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Person", description = "The personal data of a user, and its erasure.")
class PersonErasureEndpoint {

    /** The pattern of a text without control characters. */
    private static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    /** @param reason a text for people; it is stored in clear, and should name nobody */
    record ErasureRequest(
            @NotBlank @Pattern(regexp = TEXT) @Size(max = 500)
            String reason) {}

    private final EndpointCommandSender commands;
    private final PersonalTexts texts;
    private final EventStore events;
    private final Logs logs;

    PersonErasureEndpoint(EndpointCommandSender commands, PersonalTexts texts, EventStore events, Logs logs) {
        this.commands = commands;
        this.texts = texts;
        this.events = events;
        this.logs = logs;
    }

    @Operation(summary = "Erase a person", description = """
                    Erases a person. Two persons are needed, so this request is a proposal and returns 202. When another
                    person of the desk agrees, the key of the person and the phone of the login are deleted. After that
                    nobody can read addresses and reasons any more, unless a backup still has the key. Awards, draws and bans stay. An award for
                    which no invoice was sent yet must be claimed again.

                    If the person is erased already, and nothing was encrypted since, the response is 204. If nothing
                    about the person was ever encrypted, and there is no phone, the response is 404.""")
    @MayNeedSecondPerson
    @ApiResponse(responseCode = "204", description = "The person is erased already", content = @Content)
    @DeleteMapping("/api/v1/users/{userId}/person")
    ResponseEntity<Proposal> erasePerson(@PathVariable UserId userId, @Valid @RequestBody ErasureRequest form) {
        Optional<String> keyId = texts.keyOf(userId.value());
        if (keyId.isPresent()) {
            ProposedAction erasure = ProposedAction.erasure(userId, keyId.get());
            Proposal proposal =
                    commands.send(new ProposeAction(erasure, form.reason())).orThrow();
            if (proposal.state() != ProposalState.AGREED) {
                return ResponseEntity.accepted().body(proposal);
            }
            // The process that has recorded the agreement ended before it deleted the key.
            texts.erase(userId.value(), keyId.get());
            return erased();
        }
        String person = new PersonId(userId).text();
        if (events.lastSequenceNumberFor(person).isEmpty()) {
            throw new RefusedException(Refusal.NOT_FOUND, person);
        }
        return erased();
    }

    /** Returns an answer without a body, which gets its position here. */
    private ResponseEntity<Proposal> erased() {
        LogPosition head = new LogPosition(
                logs.current().number(), events.createHeadToken().position().orElse(0));
        return ResponseEntity.noContent()
                .header("Lottery-Position", Long.toString(head.number()))
                .build();
    }
}
