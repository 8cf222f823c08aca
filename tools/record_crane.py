"""Record what Pinocchio says of tests/oracle/data/crane.urdf: ``python -m tools.record_crane`` (needs the extra bench).

Everything is written in Pinocchio's own order and conventions; motions have their linear rows first.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

DATA = Path(__file__).parents[1] / "tests" / "oracle" / "data"
FRAME = "hook"
REPRESENTATIONS = {"world": pin.WORLD, "body": pin.LOCAL, "mixed": pin.LOCAL_WORLD_ALIGNED}


def recorded(floating: bool) -> dict[str, Any]:
    path = str(DATA / "crane.urdf")
    model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(path)
    data, rng = model.createData(), np.random.default_rng(11)
    model.lowerPositionLimit[:], model.upperPositionLimit[:] = -1.5, 1.5
    pin.seed(11)
    q = pin.randomConfiguration(model)
    v, a = rng.normal(size=(2, model.nv))
    tau = pin.rnea(model, data, q, v, a)
    found: dict[str, Any] = {"q": q, "v": v, "a": a, "tau": tau, "M": np.array(pin.crba(model, data, q))}
    found["M"] = np.triu(found["M"]) + np.triu(found["M"], 1).T
    pin.forwardKinematics(model, data, q, v, a)
    pin.updateFramePlacements(model, data)
    pin.computeJointJacobians(model, data, q)
    pin.computeJointJacobiansTimeVariation(model, data, q, v)
    frame = model.getFrameId(FRAME)
    place = data.oMf[frame]
    found |= {"R": place.rotation, "p": place.translation}
    for name, kind in REPRESENTATIONS.items():
        spatial = pin.getFrameAcceleration(model, data, frame, kind).vector
        classical = pin.getFrameClassicalAcceleration(model, data, frame, kind).vector
        found[name] = {
            "J": pin.getFrameJacobian(model, data, frame, kind),
            "Jd": pin.getFrameJacobianTimeVariation(model, data, frame, kind),
            "v": pin.getFrameVelocity(model, data, frame, kind).vector,
            "a": classical if name == "mixed" else spatial,
        }
    found["centre"] = pin.centerOfMass(model, data, q, v)
    found["centre_jacobian"] = pin.jacobianCenterOfMass(model, data, q)
    pin.dccrba(model, data, q, v)
    found |= {"Ag": data.Ag, "dAg": data.dAg, "hg": data.hg.vector, "mass": data.mass[0]}
    pin.computeRNEADerivatives(model, data, q, v, a)
    found |= {"dtau_dq": data.dtau_dq, "dtau_dv": data.dtau_dv}
    pin.computeABADerivatives(model, data, q, v, tau)
    found |= {"da_dq": data.ddq_dq, "da_dv": data.ddq_dv, "Minv": data.Minv}
    found["Minv"] = np.triu(found["Minv"]) + np.triu(found["Minv"], 1).T
    return found


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return np.asarray(value).tolist()


def main() -> None:
    about = f"crane.urdf evaluated by Pinocchio {pin.__version__} (double precision), tools/record_crane.py"
    content = {"source": about, "frame": FRAME, "fixed": plain(recorded(False)), "floating": plain(recorded(True))}
    (DATA / "crane_quantities.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
