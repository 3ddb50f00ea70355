package lottery.view.wheel;

import jakarta.persistence.Embeddable;
import java.io.Serializable;

@Embeddable
record AwardKey(long strategyId, int awardId) implements Serializable {}
