"""What the gallery holds: the four texts, and every system of theirs by id, whether its entry is written or not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A source text; ``letter`` begins the ids of its entries, ``folder`` holds their files."""

    letter: str
    folder: str
    authors: str
    year: int
    title: str
    kind: str

    @property
    def citation(self) -> str:
        """Authors, year, title and kind in one line."""
        return f"{self.authors} ({self.year}). {self.title}. {self.kind}."


TEXTS = {
    text.letter: text
    for text in (
        Text(
            "H",
            "hemingway",
            "E. G. Hemingway and O. M. O'Reilly",
            2017,
            "On Coordinate Singularities and Gimbal Lock in the Dynamics of Systems of Particles and Rigid Bodies",
            "Manuscript, University of California at Berkeley",
        ),
        Text(
            "C",
            "choset",
            "H. Choset, K. M. Lynch, S. Hutchinson, G. Kantor, W. Burgard, L. E. Kavraki and S. Thrun",
            2005,
            "Robot Dynamics",
            "Chapter 10 of Principles of Robot Motion, MIT Press",
        ),
        Text("R", "ruina", "A. Ruina", 2014, "MAE 6700: Advanced Dynamics", "Lecture notes, Cornell University"),
        Text(
            "B",
            "briggs",
            "J. Briggs",
            2016,
            "Degeneracy of velocity constraints in rigid body systems",
            "Report, Queen's University, Kingston",
        ),
    )
}

TITLES = {
    "H0": "The representative particle",
    "H1": "Free particle in cylindrical polar coordinates",
    "H2": "Particle on a rotating half-plane",
    "H3": "Particle on a rotating plane",
    "H4": "Particle on a plate with inertia",
    "H5": "Particle on a half-plate",
    "H6": "Free particle in spherical polar coordinates",
    "H7": "Particle on a rotating half-line, and on a line",
    "H8": "Particle on a gimbal",
    "H9": "Particle on a half-gimbal",
    "H10": "Body about a fixed point in Euler angles",
    "H11": "Body with its first Euler angle driven",
    "H12": "Cardan suspension of three gimbals",
    "H13": "Rotations, Euler bases, and what a constraint does to them",
    "H14": "Cardan joint, inertial platform and Lagrange top",
    "C1": "Planar body",
    "C2": "Arm with a rotary and a sliding joint",
    "C3": "Knife edge",
    "C4": "Point on a circle, and which velocity constraints are holonomic",
    "C5": "Rigid body: inertia, Euler's equation, Euler rates",
    "C6": "Problems of the chapter",
    "R1": "Rotations",
    "R2": "Moments of inertia",
    "R3": "Euler's equations and spins about principal axes",
    "R4": "A rotation matrix that falls apart",
    "R5": "Steady precession",
    "R6": "Least action",
    "R7": "Bead on a wire",
    "R8": "Chaplygin's sleigh",
    "R9": "Rolling disc",
    "R10": "One free body, three ways",
    "R11": "Pendulums on a hinge",
    "R12": "Double pendulum in three dimensions",
    "R13": "Angular momentum about a moving point",
    "R14": "Vibrations, strings and beams",
    "R15": "Friction and collisions",
    "B1": "Snake cart",
    "B2": "Interconnected bodies",
    "B3": "Primary velocity constraints",
    "B4": "Where a constraint distribution is singular",
}

NOT_WRITTEN = "its entry is not written yet"


def text_of(name: str) -> Text:
    """The text an id belongs to."""
    return TEXTS[name[0]]
