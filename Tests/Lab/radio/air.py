"""The air between controllers: who hears whom, and what goes wrong on the way."""

import asyncio
import random

from bumble import hci
from bumble.controller import Controller, LegacyAdvertiser
from bumble.core import PhysicalTransport
from bumble.link import LocalLink

Kind = hci.HCI_LE_Advertising_Report_Event.EventType
Error = hci.HCI_ErrorCode

# Advertising types (the HCI's numbers) and what they come out as in reports.
KINDS = {0: Kind.ADV_IND, 2: Kind.ADV_SCAN_IND, 3: Kind.ADV_NONCONN_IND}

# Chance on the air is the same in every run.
SEED = 20260701


class Conditions:
    """What the air between one camera and all adapters is like."""

    def __init__(self):
        self.stalled = False  # nothing passes, either way, but the link stands
        self.speaks = False  # while stalled, what the camera sends passes all the same
        self.gone = False  # out of range: links are lost, adverts not heard
        self.deaf = False  # heard, but never answers a connection request
        self.refusal = 0  # the reason with which new links end at once
        self.refused_percent = 100
        self.refusals_left = 0


class Air(LocalLink):
    """Bumble's link between controllers, with what it leaves out of a radio."""

    def __init__(self):
        super().__init__()
        self.chance = random.Random(SEED)
        self.conditions = {}
        self.held = []

    def at(self, address):
        """The conditions around the camera with this address."""
        return self.conditions.setdefault(bytes(address), Conditions())

    def refuses(self, address):
        """Whether a link that is just made to this camera is to be refused."""
        conditions = self.at(address)
        if not conditions.refusals_left:
            return False
        if self.chance.randrange(100) >= conditions.refused_percent:
            return False
        conditions.refusals_left -= 1
        return True

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        # Bumble's own takes the sender's random address for its address, also
        # on links that were made from its public one.
        link = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if not link or not receiver:
            return
        conditions = self.at(sender_controller.public_address)
        if conditions.stalled and not conditions.speaks:
            self.held.append((sender_controller, destination_address, transport, data))
            return
        asyncio.get_running_loop().call_soon(
            receiver.on_link_acl_data, link.self_address, PhysicalTransport.LE, data
        )

    def release(self, address):
        """Let through what a stalled camera had to say, where its link still stands."""
        waiting, self.held = self.held, []
        for packet in waiting:
            if packet[0].public_address == address:
                self.send_acl_data(*packet)
            else:
                self.held.append(packet)

    def advertise(self, sender, address, kind, data, response):
        """Bring an advertisement to all others, until one makes a link of it."""
        if self.at(address).gone:
            return
        for controller in list(self.controllers):
            if controller is not sender:
                if controller.on_advertisement(address, kind, data, response):
                    break

    def lose(self, controller, reason=Error.CONNECTION_TIMEOUT_ERROR):
        """End all links of a controller as if it had gone out of range."""
        self.held = [packet for packet in self.held if packet[0] is not controller]
        for link in list(controller.le_connections.values()):
            other = self.find_le_controller(link.peer_address)
            controller.on_le_disconnected(link, reason)
            if other:
                for back in list(other.le_connections.values()):
                    if back.peer_address == link.self_address:
                        other.on_le_disconnected(back, reason)


class Beacon(LegacyAdvertiser):
    """An advertiser of every type (Bumble's only sends connectable ones)."""

    def _on_timer_fired(self):
        self.send_advertising_data()
        self.timer_handle = asyncio.get_running_loop().call_later(
            self.advertising_interval_min * 0.000625, self._on_timer_fired
        )

    def send_advertising_data(self):
        if self.enabled and self.advertising_type in KINDS:
            kind = KINDS[self.advertising_type]
            response = b'' if kind == Kind.ADV_NONCONN_IND else self.scan_response_data
            self.controller.link.advertise(
                self.controller, self.address, kind, self.advertising_data, response
            )


class Radio(Controller):
    """A plain Bluetooth 4.2 LE controller."""

    le_features = (
        hci.LeFeatureMask.LE_ENCRYPTION | hci.LeFeatureMask.LE_DATA_PACKET_LENGTH_EXTENSION
    )
    le_acl_data_packet_length = 251
    total_num_le_acl_data_packets = 16
    supported_max_tx_octets = 251
    supported_max_rx_octets = 251

    def __init__(self, name, air, address):
        super().__init__(name, link=air, public_address=address)
        self.le_legacy_advertiser = Beacon(self)

    def on_advertisement(self, address, kind, data, response):
        """Hear an advertisement; true if a link was made of it."""
        return False
