package lottery.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import lottery.api.award.Address;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanId;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.strategy.GrantTime;
import lottery.store.EventTypes;
import lottery.store.NamedEventSerializer;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.SimpleSerializedObject;
import org.axonframework.serialization.SimpleSerializedType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that stored events stay readable for ever. Each event has an approved JSON document and a schema under its
 * name and revision. A change of either is a decision, made by running this test with {@code -Dapprove=true} and
 * reading the difference.
 */
@DisplayName("An event")
class EventContractTest {

    private static final Path DOCUMENTS = Path.of("src/test/resources/events");
    private static final Path SCHEMAS = Path.of("src/main/resources/lottery/api/schemas");
    private static final boolean APPROVE = Boolean.getBoolean("approve");

    private final NamedEventSerializer serializer =
            new NamedEventSerializer(EventTypes.of(EventNames.all(), EventNames::revisionOf));

    static List<Event> samples() {
        return Samples.ALL;
    }

    @Test
    @DisplayName("of each type has a sample here, and is a record with a name of the form family.what-happened")
    void samplesAreComplete() {
        assertThat(Samples.ALL.stream().<Class<?>>map(Event::getClass))
                .containsExactlyInAnyOrderElementsOf(EventNames.all().values());
        assertThat(EventNames.all().values()).allMatch(Class::isRecord);
        assertThat(EventNames.all().keySet()).allMatch(name -> name.matches("[a-z]+\\.[a-z]+(-[a-z]+)*"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    @DisplayName("is stored exactly as approved")
    void storedAsApproved(Event event) throws IOException {
        Path document = DOCUMENTS.resolve(fileOf(event));
        String stored = json(event) + "\n";
        if (APPROVE) {
            Files.createDirectories(DOCUMENTS);
            Files.writeString(document, stored);
        }
        assertThat(stored).isEqualTo(Files.readString(document));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    @DisplayName("is read back from the approved document as it was")
    void readBack(Event event) throws IOException {
        SerializedObject<byte[]> approved = new SimpleSerializedObject<>(
                Files.readString(DOCUMENTS.resolve(fileOf(event))).getBytes(UTF_8),
                byte[].class,
                serializer.typeForClass(event.getClass()));
        Object read = serializer.deserialize(approved);
        assertThat(read).isEqualTo(event);
    }

    @Test
    @DisplayName("of an earlier revision is still read")
    void earlierRevision() throws IOException {
        Object read = serializer.deserialize(new SimpleSerializedObject<>(
                Files.readAllBytes(DOCUMENTS.resolve("proposal.made.v1.json")),
                byte[].class,
                new SimpleSerializedType("proposal.made", "1")));
        assertThat(read).isInstanceOfSatisfying(ProposalMade.class, made -> {
            assertThat(made.proposalId()).isEqualTo(sample(ProposalMade.class).proposalId());
            assertThat(made.action().currency()).isNull();
        });
    }

    @Test
    @DisplayName("of a claim has the address that its opener opens, and none after an erasure")
    void claimed() {
        Address address = new Address("Ann", "+49 30 1234567", "1 High Street", "10115", "Ring twice");
        assertThat(address.toString()).doesNotContain("High Street");
        AwardClaimed claimed = sample(AwardClaimed.class);
        assertThat(claimed.addressBy((person, place, _) -> Optional.of(address.text())
                        .filter(_ -> person.equals("ann")
                                && place.equals(claimed.awardRecordId().text()))))
                .contains(address);
        assertThat(claimed.addressBy((_, _, _) -> Optional.empty())).isEmpty();
    }

    @Test
    @DisplayName("of a ban has the reason that its opener opens")
    void banned() {
        UserBanned banned = sample(UserBanned.class);
        assertThat(banned.reasonBy((person, place, _) -> Optional.of(person + " " + place)))
                .contains("ann " + new BanId(banned.userId()).text());
    }

    @Test
    @DisplayName("of an award that is granted with its win is read back as it was")
    void grantedWithTheWin() {
        AwardWon won = sample(AwardWon.class);
        AwardWon granted = new AwardWon(
                won.awardRecordId(),
                won.activityId(),
                won.userId(),
                won.award(),
                won.unitTaken(),
                null,
                won.config(),
                GrantTime.AT_ONCE,
                won.onFailure(),
                won.insteadOf(),
                won.wonAt(),
                "text:1");
        assertThat(json(granted)).contains("\"grantReference\":\"text:1\"");
        Object read = serializer.deserialize(serializer.serialize(granted, byte[].class));
        assertThat(read).isEqualTo(granted);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    @DisplayName("has an approved schema, and its document is valid by it")
    void keepsToItsSchema(Event event) throws IOException {
        Path schema = SCHEMAS.resolve(fileOf(event));
        String generated = Schemas.of(event.getClass());
        if (APPROVE) {
            Files.createDirectories(SCHEMAS);
            Files.writeString(schema, generated);
        }
        assertThat(generated).isEqualTo(Files.readString(schema));
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(generated)
                        .validate(json(event), InputFormat.JSON))
                .isEmpty();
    }

    private static <E extends Event> E sample(Class<E> type) {
        return Samples.ALL.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    private String json(Event event) {
        return new String(serializer.serialize(event, byte[].class).getData(), UTF_8);
    }

    private static String fileOf(Event event) {
        return EventNames.nameOf(event.getClass()) + ".v" + EventNames.revisionOf(event.getClass()) + ".json";
    }
}
